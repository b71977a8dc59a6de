import Synchronization
import ToastCore
import ToastStore

/// A store whose appends wait at a gate, or fail, when a test says so.
///
/// As an immediate or a prompt one it has no gate.
final class GatedStore: ImmediateStore {
    private struct State {
        var isOpen = true
        var isPrompt = false
        var failure: StoreError?
        var settlingFailure: StoreError?
        var loads = 0
        /// Who waits to read a channel; nil when nobody has to.
        var readers: [CheckedContinuation<StoreError?, Never>]?
        var historyReads = 0
        /// Who waits to read events; nil when nobody has to.
        var historyReaders: [CheckedContinuation<StoreError?, Never>]?
        var batches: [Int] = []
        var recordCounts = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var arrivals: [CheckedContinuation<Void, Never>] = []
    }

    private let store: MemoryStore
    private let state = Mutex(State())
    private let isImmediate: Bool

    init(isImmediate: Bool, retention: Retention = .standard) {
        self.isImmediate = isImmediate
        self.store = MemoryStore(retention: retention)
    }

    var immediate: (any ImmediateStore)? { self.isImmediate ? self : nil }

    func appendAtOnce(_ change: Append) throws(StoreError) {
        if let failure = self.state.withLock({ $0.failure }) { throw failure }
        try self.store.appendAtOnce(change)
    }

    func appendAtOnce(
        _ events: [Event],
        to channel: ChannelName,
        expecting expected: Offset
    ) throws(StoreError) {
        if let failure = self.state.withLock({ $0.failure }) { throw failure }
        try self.store.appendAtOnce(events, to: channel, expecting: expected)
    }

    var epoch: Epoch { self.store.epoch }

    /// Lets appends wait from now on.
    func shut() { self.state.withLock { $0.isOpen = false } }

    /// Lets all appends through.
    func open() {
        let waiting = self.state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume() }
    }

    /// Returns when an append waits at the gate.
    func arrival() async {
        await withCheckedContinuation { continuation in
            let isThere = self.state.withLock { state in
                if state.waiting.isEmpty { state.arrivals.append(continuation) }
                return !state.waiting.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    /// Has appends that come together answered before the call returns, from now on.
    func hurry() { self.state.withLock { $0.isPrompt = true } }

    /// Lets appends fail from now on, or no longer.
    func fail(with error: StoreError?) { self.state.withLock { $0.failure = error } }

    /// Lets what became of deliveries be refused from now on, or no longer.
    func failSettling(with error: StoreError?) { self.state.withLock { $0.settlingFailure = error } }

    func append(_ change: Append) async throws(StoreError) {
        await withCheckedContinuation { continuation in
            let (isOpen, arrivals) = self.state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                defer { if !state.isOpen { state.arrivals = [] } }
                return (state.isOpen, state.isOpen ? [] : state.arrivals)
            }
            if isOpen { continuation.resume() }
            for arrival in arrivals { arrival.resume() }
        }
        if let failure = self.state.withLock({ $0.failure }) { throw failure }
        try await self.store.append(change)
    }

    /// How often somebody had records counted.
    var recordCounts: Int { self.state.withLock { $0.recordCounts } }

    /// How many changes came together, each time that some came.
    var batches: [Int] { self.state.withLock { $0.batches } }

    func append(_ changes: [Append], answer: @escaping @Sendable ([StoreError?]) -> Void) {
        let isPrompt = self.state.withLock { state in
            state.batches.append(changes.count)
            return state.isPrompt
        }
        if isPrompt {
            return answer(
                changes.map { change in
                    do throws(StoreError) { try self.appendAtOnce(change) } catch { return error }
                    return nil
                }
            )
        }
        Task {
            var outcomes: [StoreError?] = []
            for change in changes {
                do throws(StoreError) {
                    try await self.append(change)
                    outcomes.append(nil)
                } catch {
                    outcomes.append(error)
                }
            }
            answer(outcomes)
        }
    }

    /// How often a channel was read.
    var loads: Int { self.state.withLock { $0.loads } }

    /// Lets whoever reads a channel wait from now on.
    func shutLoads() { self.state.withLock { $0.readers = [] } }

    /// Lets all read who wait for it, or has them fail.
    func openLoads(failing failure: StoreError? = nil) {
        let readers = self.state.withLock { state in
            defer { state.readers = nil }
            return state.readers ?? []
        }
        for reader in readers { reader.resume(returning: failure) }
    }

    func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel? {
        let failure = await withCheckedContinuation { (continuation: CheckedContinuation<StoreError?, Never>) in
            let mayPass = self.state.withLock { state in
                state.loads += 1
                state.readers?.append(continuation)
                return state.readers == nil
            }
            if mayPass { continuation.resume(returning: nil) }
        }
        if let failure { throw failure }
        return try await self.store.load(channel)
    }

    /// How often events were read.
    var historyReads: Int { self.state.withLock { $0.historyReads } }

    /// Whether somebody waits to read events.
    var hasReaders: Bool { self.state.withLock { $0.historyReaders?.isEmpty == false } }

    /// Lets whoever reads events wait from now on.
    func shutHistory() { self.state.withLock { $0.historyReaders = [] } }

    /// Lets all read events who wait for it, or has them fail.
    func openHistory(failing failure: StoreError? = nil) {
        let readers = self.state.withLock { state in
            defer { state.historyReaders = nil }
            return state.historyReaders ?? []
        }
        for reader in readers { reader.resume(returning: failure) }
    }

    func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int,
        bytes: Int
    ) async throws(StoreError) -> History {
        let failure = await withCheckedContinuation { (continuation: CheckedContinuation<StoreError?, Never>) in
            let mayPass = self.state.withLock { state in
                state.historyReads += 1
                state.historyReaders?.append(continuation)
                return state.historyReaders == nil
            }
            if mayPass { continuation.resume(returning: nil) }
        }
        if let failure { throw failure }
        return try await self.store.events(of: channel, after: offset, limit: limit, bytes: bytes)
    }

    func record(of channel: ChannelName, key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord? {
        try await self.store.record(of: channel, key: key)
    }

    func outcome(of toast: ToastID, in channel: ChannelName) async throws(StoreError) -> ToastOutcome? {
        try await self.store.outcome(of: toast, in: channel)
    }

    func recordCounts(of channel: ChannelName) async throws(StoreError) -> [String: Int] {
        self.state.withLock { $0.recordCounts += 1 }
        return try await self.store.recordCounts(of: channel)
    }

    func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] {
        try await self.store.channels(after: name, limit: limit)
    }

    var outbox: OutboxCounts { self.store.outbox }

    func setWebhooks(_ webhooks: [Webhook], of channel: ChannelName) async throws(StoreError) -> Int {
        try await self.store.setWebhooks(webhooks, of: channel)
    }

    func dueDeliveries(at now: Instant, limit: Int, share: DeliveryShare) async throws(StoreError) -> [DueDelivery] {
        try await self.store.dueDeliveries(at: now, limit: limit, share: share)
    }

    func nextDelivery(after now: Instant) async throws(StoreError) -> Instant? {
        try await self.store.nextDelivery(after: now)
    }

    func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery? {
        try await self.store.delivery(id)
    }

    func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError) {
        if let failure = self.state.withLock({ $0.settlingFailure }) { throw failure }
        try await self.store.settle(id, settlement)
    }

    var channelCount: Int { self.store.channelCount }

    var floor: Offset { self.store.floor }

    func limitChannels(to count: Int) { self.store.limitChannels(to: count) }

    func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels {
        try await self.store.quietChannels(after: name, since: instant, limit: limit)
    }

    func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        try await self.store.forget(channel, at: offset)
    }

    func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        if let failure = self.state.withLock({ $0.failure }) { throw failure }
        return try await self.store.remove(channel, at: offset)
    }

    func waitingDeliveries(
        for url: WebhookURL,
        of channel: ChannelName,
        limit: Int
    ) async throws(StoreError) -> WaitingDeliveries {
        try await self.store.waitingDeliveries(for: url, of: channel, limit: limit)
    }

    func prune(at now: Instant) async throws(StoreError) { try await self.store.prune(at: now) }

    func close() async { await self.store.close() }
}
