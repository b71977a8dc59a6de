import EventLoop
import ToastCore

/// The store as the channels of one loop see it: what they append in a turn goes to the store together.
///
/// The loop's thread and the store's wake each other once a turn, however many channels have something to store. To
/// wake them for each append would cost more than the append, and make each a commit of its own.
actor LoopStore: LoopActor, EventStore {
    private struct Waiting: Sendable {
        let change: Append
        let continuation: CheckedContinuation<StoreError?, Never>
    }

    nonisolated let loop: EventLoop
    private nonisolated let store: any EventStore
    /// What was appended in this turn; bounded by those who wait for it, one for each channel.
    private var gathered: [Waiting] = []

    init(loop: EventLoop, store: any EventStore) {
        self.loop = loop
        self.store = store
    }

    func append(_ change: Append) async throws(StoreError) {
        let failure = await self.loop.pause { continuation in
            self.gather(Waiting(change: change, continuation: continuation))
        }
        if let failure { throw failure }
    }

    private func gather(_ waiting: Waiting) {
        // Behind all that the loop has to do in this turn.
        if self.gathered.isEmpty { self.loop.execute { self.assumeIsolated { $0.send() } } }
        self.gathered.append(waiting)
    }

    private func send() {
        let batch = self.gathered
        self.gathered = []
        let loop = self.loop
        self.store.append(batch.map(\.change)) { failures in
            loop.execute {
                for (waiting, failure) in zip(batch, failures) { waiting.continuation.resume(returning: failure) }
            }
        }
    }
}

// What goes to the store as it is.
extension LoopStore {
    nonisolated var epoch: Epoch { self.store.epoch }

    nonisolated var failure: StoreError? { self.store.failure }

    nonisolated func append(_ changes: [Append], answer: @escaping @Sendable ([StoreError?]) -> Void) {
        self.store.append(changes, answer: answer)
    }

    nonisolated func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel? {
        try await self.store.load(channel)
    }

    nonisolated func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int
    ) async throws(StoreError) -> History {
        try await self.store.events(of: channel, after: offset, limit: limit)
    }

    nonisolated func record(of channel: ChannelName, key: String) async throws(StoreError) -> IdempotencyRecord? {
        try await self.store.record(of: channel, key: key)
    }

    nonisolated func recordCount(of channel: ChannelName) async throws(StoreError) -> Int {
        try await self.store.recordCount(of: channel)
    }

    nonisolated func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] {
        try await self.store.channels(after: name, limit: limit)
    }

    nonisolated var channelCount: Int { self.store.channelCount }

    nonisolated var floor: Offset { self.store.floor }

    nonisolated func limitChannels(to count: Int) { self.store.limitChannels(to: count) }

    nonisolated func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels {
        try await self.store.quietChannels(after: name, since: instant, limit: limit)
    }

    nonisolated func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        try await self.store.forget(channel, at: offset)
    }

    nonisolated func prune(at now: Instant) async throws(StoreError) { try await self.store.prune(at: now) }

    nonisolated func close() async { await self.store.close() }

    nonisolated var outbox: OutboxCounts { self.store.outbox }

    nonisolated func setWebhooks(_ webhooks: [Webhook], of channel: ChannelName) async throws(StoreError) -> Int {
        try await self.store.setWebhooks(webhooks, of: channel)
    }

    nonisolated func dueDeliveries(
        at now: Instant,
        limit: Int,
        share: Int
    ) async throws(StoreError) -> [DueDelivery] {
        try await self.store.dueDeliveries(at: now, limit: limit, share: share)
    }

    nonisolated func nextDelivery(after now: Instant) async throws(StoreError) -> Instant? {
        try await self.store.nextDelivery(after: now)
    }

    nonisolated func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery? {
        try await self.store.delivery(id)
    }

    nonisolated func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError) {
        try await self.store.settle(id, settlement)
    }
}

extension EventLoop {
    /// Waits for a continuation, on a task of this loop's thread.
    ///
    /// A continuation takes its task to the executor that the task prefers. Without one that is Swift's pool of threads:
    /// one of them is woken only to send the task back here.
    nonisolated(nonsending) func pause<Value: Sendable>(
        _ body: (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        await withTaskExecutorPreference(self.taskExecutor) {
            await withCheckedContinuation { body($0) }
        }
    }
}
