import Synchronization
package import ToastCore

/// A store whose appends a test can block, or let fail.
///
/// An immediate or prompt store never blocks, and completes appends before they return, unless the outcomes of a
/// channel are withheld.
package final class GatedStore: StoreWrapper {
    private struct State {
        var isOpen = true
        var isPrompt = false
        /// The channel whose outcomes are withheld, and what reports them.
        var withheld: ChannelName?
        var reports: [@Sendable () -> Void] = []
        var failure: StoreError?
        var settlingFailure: StoreError?
        var loads = 0
        /// Tasks that wait to load a channel; nil when loads are not blocked.
        var readers: [CheckedContinuation<StoreError?, Never>]?
        var historyReads = 0
        /// Tasks that wait to read events; nil when reads are not blocked.
        var historyReaders: [CheckedContinuation<StoreError?, Never>]?
        var batches: [Int] = []
        var recordsOfChanges: [Int] = []
        var recordCounts = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var arrivals: [CheckedContinuation<Void, Never>] = []
    }

    package let wrapped: any Store

    package var failure: StoreError? { self.state.withLock { $0.failure } ?? self.wrapped.failure }
    private let state = Mutex(State())
    private let isImmediate: Bool

    package init(_ wrapped: any Store, isImmediate: Bool) {
        self.isImmediate = isImmediate
        self.wrapped = wrapped
    }

    package var gathersAppends: Bool { !self.isImmediate }

    /// Stores the changes of a channel, but reports their outcomes only when ``reportOutcomes()`` is called.
    package func withholdOutcomes(of channel: ChannelName) { self.state.withLock { $0.withheld = channel } }

    /// The number of outcomes that are withheld.
    package var withheldOutcomes: Int { self.state.withLock { $0.reports.count } }

    /// Reports the outcomes that were withheld.
    package func reportOutcomes() {
        let reports = self.state.withLock { state in
            defer { (state.withheld, state.reports) = (nil, []) }
            return state.reports
        }
        for report in reports { report() }
    }

    /// Blocks appends from now on.
    package func shut() { self.state.withLock { $0.isOpen = false } }

    /// Unblocks all appends.
    package func open() {
        let waiting = self.state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume() }
    }

    /// Returns when an append is blocked.
    package func arrival() async {
        await withCheckedContinuation { continuation in
            let isThere = self.state.withLock { state in
                if state.waiting.isEmpty { state.arrivals.append(continuation) }
                return !state.waiting.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    /// Completes appends before the call returns, from now on.
    package func hurry() { self.state.withLock { $0.isPrompt = true } }

    /// Makes appends fail from now on; nil to succeed again.
    package func fail(with error: StoreError?) { self.state.withLock { $0.failure = error } }

    /// Makes settling of deliveries fail from now on; nil to succeed again.
    package func failSettling(with error: StoreError?) { self.state.withLock { $0.settlingFailure = error } }

    /// Returns when appends are not blocked.
    private func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, arrivals) = self.state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                defer { if !state.isOpen { state.arrivals = [] } }
                return (state.isOpen, state.isOpen ? [] : state.arrivals)
            }
            if isOpen { continuation.resume() }
            for arrival in arrivals { arrival.resume() }
        }
    }

    /// The number of counts of records.
    package var recordCounts: Int { self.state.withLock { $0.recordCounts } }

    /// The number of changes in each call.
    package var batches: [Int] { self.state.withLock { $0.batches } }

    /// The number of records in each change.
    package var recordsOfChanges: [Int] { self.state.withLock { $0.recordsOfChanges } }

    package func append(_ changes: [Append], completion: @escaping @Sendable (Int, AppendOutcome) -> Void) {
        let isPrompt = self.state.withLock { state in
            state.batches.append(changes.count)
            state.recordsOfChanges += changes.map(\.records.count)
            return state.isPrompt || self.isImmediate
        }
        if isPrompt { return self.store(changes, completion) }
        Task {
            await self.pass()
            self.store(changes, completion)
        }
    }

    private func store(_ changes: [Append], _ completion: @escaping @Sendable (Int, AppendOutcome) -> Void) {
        if let failure = self.state.withLock({ $0.failure }) {
            for index in changes.indices { completion(index, .failed(failure)) }
            return
        }
        self.wrapped.append(changes) { index, outcome in
            let isReported = self.state.withLock { state in
                guard state.withheld == changes[index].channel else { return true }
                state.reports.append { completion(index, outcome) }
                return false
            }
            if isReported { completion(index, outcome) }
        }
    }

    /// The number of loads.
    package var loads: Int { self.state.withLock { $0.loads } }

    /// Blocks loads from now on.
    package func shutLoads() { self.state.withLock { $0.readers = [] } }

    /// Unblocks all loads, or makes the blocked ones fail.
    package func openLoads(failing failure: StoreError? = nil) {
        let readers = self.state.withLock { state in
            defer { state.readers = nil }
            return state.readers ?? []
        }
        for reader in readers { reader.resume(returning: failure) }
    }

    package func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel {
        let failure = await withCheckedContinuation { (continuation: CheckedContinuation<StoreError?, Never>) in
            let mayPass = self.state.withLock { state in
                state.loads += 1
                state.readers?.append(continuation)
                return state.readers == nil
            }
            if mayPass { continuation.resume(returning: nil) }
        }
        if let failure { throw failure }
        return try await self.wrapped.load(channel)
    }

    /// The number of reads of events.
    package var historyReads: Int { self.state.withLock { $0.historyReads } }

    /// Whether a read of events is blocked.
    package var hasReaders: Bool { self.state.withLock { $0.historyReaders?.isEmpty == false } }

    /// Blocks reads of events from now on.
    package func shutHistory() { self.state.withLock { $0.historyReaders = [] } }

    /// Unblocks all reads of events, or makes the blocked ones fail.
    package func openHistory(failing failure: StoreError? = nil) {
        let readers = self.state.withLock { state in
            defer { state.historyReaders = nil }
            return state.historyReaders ?? []
        }
        for reader in readers { reader.resume(returning: failure) }
    }

    package func events(
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
        return try await self.wrapped.events(of: channel, after: offset, limit: limit, bytes: bytes)
    }

    package func recordCounts(of channel: ChannelName) async throws(StoreError) -> [String: Int] {
        self.state.withLock { $0.recordCounts += 1 }
        return try await self.wrapped.recordCounts(of: channel)
    }

    package func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError) {
        if let failure = self.state.withLock({ $0.settlingFailure }) { throw failure }
        try await self.wrapped.settle(id, settlement)
    }

    package func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Offset? {
        if let failure = self.state.withLock({ $0.failure }) { throw failure }
        return try await self.wrapped.remove(channel, at: offset)
    }
}
