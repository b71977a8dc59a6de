import EventLoop
import Synchronization
import ToastCore

extension Channel {
    /// Checks that one more idempotency key can be stored.
    ///
    /// - Throws: `tooManyKeys`; `unavailable` when the keys could not be counted.
    func makeRoomForKey(of owner: String) async throws(ChannelError) {
        let limit = self.context.quota.keys.load(ordering: .relaxed)
        if self.keys.count.isUnknown(at: EventLoop.now, limit: limit) {
            do throws(StoreError) {
                let counts = try await self.context.keyStore.recordCounts(of: self.name)
                self.keys.count.take(counts, at: EventLoop.now, limit: limit)
            } catch {
                throw .unavailable(error)
            }
        }
        guard self.keys.count.hasRoom(for: owner, limit: limit) else { throw .tooManyKeys }
    }

    /// Loads the channel again if a stored answer may be of an append that it does not know.
    ///
    /// An append whose outcome is undecided can reach the log after the channel was loaded again. What a stored answer
    /// acknowledges must be in every later response.
    func catchUp(with record: IdempotencyRecord) async throws(ChannelError) {
        guard record.at.wholeMilliseconds > self.engine.lastInstant else { return }
        // If something is being stored, it meets the unknown append there, and the request is decided again.
        if !self.isStored { try await self.awaitStorage() }
        guard self.isLoaded, self.commits.isEmpty else { return }
        self.phase = .unloaded(nil)
        try await self.load()
    }

    /// Stores the answer to a request for its repetitions, together with the next events.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - request: The request.
    ///   - toast: The published toast, whose outcome is stored with the answer; nil when there are several.
    ///   - now: The current instant.
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
        self.commits.add(record, displacing: self.keys.count.add(request.key.owner, limit: limit))
    }

    /// The final state of a toast that the engine has forgotten; nil when no stored key belongs to it.
    func keptOutcome(of id: ToastID) async throws(ChannelError) -> Toast? {
        guard self.keys.count.mayBeAny else { return nil }
        do throws(StoreError) {
            return try await self.context.keyStore.outcome(of: id, in: self.name)?.toast
        } catch {
            throw .unavailable(error)
        }
    }

    /// The record of an earlier request with the same key; `nil` when this is the first.
    func record(of request: IdempotentRequest) async throws(ChannelError) -> IdempotencyRecord? {
        do throws(StoreError) {
            return try await self.context.keyStore.record(of: self.name, key: request.key)
        } catch {
            throw .unavailable(error)
        }
    }
}
