import EventLoop
import Synchronization
import ToastCore

extension Channel {
    /// Checks that one more idempotency key can be stored.
    ///
    /// - Throws: `tooManyKeys`; `store` when the keys could not be counted.
    func makeRoomForKey(of owner: String) async throws(ChannelError) {
        let limit = self.context.quota.keys.load(ordering: .relaxed)
        if self.keyCount.isUnknown(at: EventLoop.now, limit: limit) {
            let counts = try await ChannelError.rethrowing(await self.context.store.recordCounts(of: self.name))
            self.keyCount.take(counts, at: EventLoop.now, limit: limit)
        }
        guard self.keyCount.hasRoom(for: owner, limit: limit) else { throw .tooManyKeys }
    }

    /// Loads the channel again if a stored answer may belong to an append that it has not loaded.
    ///
    /// An append whose outcome is undecided can reach the log after the channel was loaded again. What a stored answer
    /// acknowledges must be in every later response.
    func reloadIfOlder(than record: IdempotencyRecord) async throws(ChannelError) {
        guard record.at.wholeMilliseconds > self.engine.lastInstant else { return }
        if !self.isLoaded { try await self.load() }
        // A commit under way conflicts with the unknown append, and its request is decided again.
        if !self.isStored { try await self.awaitStorage() }
        guard self.isLoaded, self.commits.isEmpty else { return }
        self.phase = .unloaded(nil)
        try await self.load()
    }

    /// Stores the answer to a request for its repetitions, together with the next events.
    ///
    /// The outcome of the published toast is stored with the answer; `toast` is nil when there are several.
    func keep(_ answer: [UInt8], for request: IdempotentRequest, about toast: ToastID?, at now: Instant) {
        let record = IdempotencyRecord(
            key: request.key,
            fingerprint: request.fingerprint,
            at: now,
            response: answer,
            toast: toast
        )
        if let toast { self.engine.watch(toast) }
        let limit = self.context.quota.keys.load(ordering: .relaxed)
        self.commits.add(record, displacing: self.keyCount.add(request.key.owner, limit: limit))
    }

    /// The final state of a toast that the engine has forgotten; nil when no stored key belongs to it.
    func keptOutcome(of id: ToastID) async throws(ChannelError) -> Toast? {
        guard self.keyCount.mayBeAny else { return nil }
        return try await ChannelError.rethrowing(await self.context.store.outcome(of: id, in: self.name)?.toast)
    }

    /// The record of an earlier request with the same key; `nil` when this is the first.
    func record(of request: IdempotentRequest) async throws(ChannelError) -> IdempotencyRecord? {
        try await ChannelError.rethrowing(await self.context.store.record(of: self.name, key: request.key))
    }
}
