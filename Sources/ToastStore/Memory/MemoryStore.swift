import Synchronization
package import ToastCore

/// A store in memory: fulfils the contracts of the ports, except durability.
///
/// Everything is lost when the process ends, and the next process has another epoch. No call ever suspends.
package final class MemoryStore: Store {
    /// The epoch of this object, which begins empty.
    package let epoch: Epoch

    /// `nil`: memory never fails to write.
    package var failure: StoreError? { nil }

    let retention: Retention
    let state = Mutex(State())

    /// An empty store that forgets by `retention`.
    package init(retention: Retention = .standard) {
        self.epoch = Epoch.random()
        self.retention = retention
    }

    /// False: nothing is gained by collecting changes for memory.
    package var gathersAppends: Bool { false }

    /// Appends to several channels, and completes before it returns.
    package func append(_ changes: [Append], completion: @escaping @Sendable (Int, AppendOutcome) -> Void) {
        for (index, change) in changes.enumerated() { completion(index, self.store(change)) }
    }

    private func store(_ change: Append) -> AppendOutcome {
        change.checkShape()
        do throws(StoreError) {
            try self.withState { (state: inout State) throws(StoreError) in
                let (floor, retention, epoch) = (state.floor, self.retention, self.epoch)
                try state.change(change.channel) { (log: inout Channel) throws(StoreError) in
                    try log.checkExpected(change.expected, floor: floor)
                    log.append(change, epoch)
                    log.forgetSurplus(retention)
                }
                for delivery in change.deliveries {
                    state.add(delivery, to: change.channel, atMost: retention.deliveries)
                }
            }
            return .stored
        } catch {
            return .failed(error)
        }
    }

    package func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel {
        try self.withState { state in
            guard let snapshot = state.channels[channel]?.bounds.snapshot,
                let tail = state.channels[channel]?.read(channel, self.epoch, after: snapshot, limit: .max),
                let log = state.channels[channel]
            else { return StoredChannel(snapshot: nil, tail: [], last: state.floor) }
            return StoredChannel(
                snapshot: log.snapshot,
                tail: tail,
                last: log.bounds.last,
                webhooks: log.webhooks,
                recordCount: log.records.count,
                openToasts: log.records.openToasts
            )
        }
    }

    package func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int,
        bytes: Int
    ) async throws(StoreError) -> History {
        try self.withState { state in
            let events = state.channels[channel]?.read(channel, self.epoch, after: offset, limit: limit, bytes: bytes)
            let bounds = state.channels[channel]?.bounds ?? .beginning(after: state.floor)
            return History(events: events ?? [], isCut: bounds.isCut(after: offset))
        }
    }

    /// Looks up an idempotency record; an expired one is not found, whether or not it was pruned.
    package func record(of channel: ChannelName, key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord? {
        try self.withState { state in
            let record = state.channels[channel]?.records[key]
            return record.flatMap { $0.at + self.retention.recordAge >= state.now ? $0 : nil }
        }
    }

    package func outcome(of toast: ToastID, in channel: ChannelName) async throws(StoreError) -> ToastOutcome? {
        try self.withState { $0.channels[channel]?.records.outcome(of: toast) }
    }

    package func recordCounts(of channel: ChannelName) async throws(StoreError) -> [String: Int] {
        try self.withState { $0.channels[channel]?.records.counts ?? [:] }
    }

    package func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] {
        try self.withState { state in
            let names = state.channels.keys.filter { candidate in name.map { $0 < candidate } ?? true }
            return Array(names.sorted().prefix(max(limit, 0)))
        }
    }

    package func prune(at now: Instant) async throws(StoreError) {
        try self.withState { state in
            state.now = max(state.now, now)
            for index in state.channels.values.indices {
                state.channels.values[index].prune(at: now, retention: self.retention)
            }
        }
    }

    /// Ends the store and frees its memory; later calls throw `unavailable`.
    package func close() async { self.state.withLock { $0 = State(isClosed: true) } }

    func withState<Value: Sendable>(_ body: (inout State) throws(StoreError) -> Value) throws(StoreError) -> Value {
        try self.state.withLock { (state) throws(StoreError) in
            guard !state.isClosed else { throw .closed }
            return try body(&state)
        }
    }
}

extension MemoryStore {
    struct State {
        var channels: [ChannelName: Channel] = [:]
        var catalogs: [LanguageTag: [UInt8]] = [:]
        var documents: [DocumentName: [UInt8]] = [:]
        /// The latest instant for which the store was pruned; the age of records is measured against it.
        var now = Instant(nanoseconds: .min)
        var isClosed = false
        /// The offset after which a new channel begins.
        var floor = Offset.origin
        /// The most channels that there may be.
        var limit = Int.max
        var queue = MemoryDeliveryQueue()

        /// Changes a channel in place, because a value that is looked up would be copied; adds it when it is unknown.
        mutating func change(
            _ name: ChannelName,
            _ body: (inout Channel) throws(StoreError) -> Void
        ) throws(StoreError) {
            if let index = self.channels.index(forKey: name) { return try body(&self.channels.values[index]) }
            var channel = Channel(after: self.floor)
            try body(&channel)
            guard self.channels.count < self.limit else { throw .tooManyChannels }
            self.channels[name] = channel
        }
    }
}
