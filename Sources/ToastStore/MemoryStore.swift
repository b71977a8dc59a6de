import Synchronization
public import ToastCore

/// Channels kept in memory: the contract of the port without its persistence.
///
/// Everything is gone when the process ends, and the next one has another epoch. No call ever suspends.
public final class MemoryStore: ImmediateStore {
    /// The life of this object.
    public let epoch: Epoch

    let retention: Retention
    let state = Mutex(State())

    /// An empty store that forgets by `retention`.
    public init(retention: Retention = .standard) {
        self.epoch = Epoch.random()
        self.retention = retention
    }

    /// Adds events to a channel, all or none.
    ///
    /// - Throws: `conflict` when the channel stands elsewhere, `unavailable` after ``close()``.
    public func append(_ change: Append) async throws(StoreError) {
        try self.appendAtOnce(change)
    }

    /// Adds events to a channel, all or none, in the time of the call.
    ///
    /// - Throws: What ``append(_:)`` throws.
    public func appendAtOnce(_ change: Append) throws(StoreError) {
        change.checkShape()
        try self.withState { (state: inout State) throws(StoreError) in
            try state.append(change, retention: self.retention)
        }
    }

    /// Adds events to several channels, and answers at once.
    public func append(_ changes: [Append], answer: @escaping @Sendable ([StoreError?]) -> Void) {
        answer(
            changes.map { change in
                do throws(StoreError) {
                    try self.appendAtOnce(change)
                    return nil
                } catch {
                    return error
                }
            }
        )
    }

    /// This store: memory waits for nothing.
    public var immediate: (any ImmediateStore)? { self }

    /// Reads what is needed to rebuild a channel; `nil` when the store never heard of it.
    public func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel? {
        try self.withState { (state: inout State) throws(StoreError) in
            state.channels[channel].map { channel in
                let tail = channel.events(after: channel.standing.snapshot, limit: .max)
                return StoredChannel(
                    snapshot: channel.snapshot,
                    tail: Array(tail),
                    last: channel.standing.last,
                    webhooks: channel.webhooks,
                    recordCount: channel.records.count
                )
            }
        }
    }

    /// Reads at most `limit` events of a channel behind an offset, oldest first.
    public func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int
    ) async throws(StoreError) -> History {
        try self.withState { (state: inout State) throws(StoreError) in
            let channel = state.channels[channel] ?? Channel(behind: state.floor)
            return History(
                events: Array(channel.events(after: offset, limit: limit)),
                isCut: channel.standing.isCut(after: offset)
            )
        }
    }

    /// Looks up an idempotency record; one past its age is not found, whether or not it was pruned.
    public func record(of channel: ChannelName, key: String) async throws(StoreError) -> IdempotencyRecord? {
        try self.withState { (state: inout State) throws(StoreError) in
            guard let record = state.channels[channel]?.records[key],
                record.at + self.retention.recordAge >= state.now
            else { return nil }
            return record
        }
    }

    /// How many idempotency records of a channel are kept.
    public func recordCount(of channel: ChannelName) async throws(StoreError) -> Int {
        try self.withState { (state: inout State) throws(StoreError) in state.channels[channel]?.records.count ?? 0 }
    }

    /// The names of the channels that the store knows, in order, behind `name` if one is given.
    public func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] {
        try self.withState { (state: inout State) throws(StoreError) in
            let names = state.channels.keys.filter { candidate in name.map { $0 < candidate } ?? true }
            return Array(names.sorted().prefix(max(limit, 0)))
        }
    }

    /// Forgets what the retention allows at this instant.
    public func prune(at now: Instant) async throws(StoreError) {
        try self.withState { (state: inout State) throws(StoreError) in
            state.prune(at: now, retention: self.retention)
        }
    }

    /// Ends the store and frees what it kept; later calls throw `unavailable`.
    public func close() async {
        self.state.withLock { $0 = State(isClosed: true) }
    }

    func withState<Value: Sendable>(
        _ body: (inout State) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try self.state.withLock { (state) throws(StoreError) in
            guard !state.isClosed else { throw .closed }
            return try body(&state)
        }
    }
}

extension MemoryStore {
    struct Channel {
        var standing: Standing
        var snapshot: StoredSnapshot?
        /// The kept events: `standing.first` to `standing.last`, without a gap.
        var events: [StoredEvent] = []
        var records: [String: IdempotencyRecord] = [:]
        var webhooks: [Webhook] = []

        init(behind offset: Offset) { self.standing = .beginning(behind: offset) }

        func events(after offset: Offset, limit: Int) -> ArraySlice<StoredEvent> {
            guard offset < self.standing.last else { return [] }
            let start = max(0, offset.rawValue - self.standing.first.rawValue + 1)
            return self.events[Int(start)...].prefix(max(limit, 0))
        }

        mutating func forget(through offset: Offset) {
            let count = offset.rawValue - self.standing.first.rawValue + 1
            guard count > 0 else { return }
            self.events.removeFirst(Int(count))
            self.standing.first = offset.next
        }

        mutating func append(_ change: Append, retention: Retention, floor: Offset) throws(StoreError) {
            let standing = self.standing.isFresh ? .beginning(behind: floor) : self.standing
            guard standing.admits(change.expected) else { throw .conflict(current: standing.last) }
            if standing.isFresh { self.standing = .beginning(behind: change.expected) }
            self.events.append(contentsOf: change.events)
            self.standing.last = change.end
            if !change.events.isEmpty { self.standing.isFresh = false }
            for record in change.records {
                self.records[record.key] = record
            }
            if let snapshot = change.snapshot {
                self.snapshot = snapshot
                self.standing.snapshot = snapshot.offset
            }
            if let overflow = self.standing.overflow(over: retention.events) {
                self.forget(through: overflow)
            }
        }

        mutating func prune(at now: Instant, retention: Retention) {
            self.forget(through: self.standing.surplus(over: retention.events))
            let old = self.events.prefix { event in
                event.offset <= self.standing.snapshot && event.at + retention.age < now
            }
            if let last = old.last {
                self.forget(through: last.offset)
            }
            self.records = self.records.filter { $0.value.at + retention.recordAge >= now }
        }
    }

    struct State {
        var channels: [ChannelName: Channel] = [:]
        var catalogs: [LanguageTag: [UInt8]] = [:]
        /// The latest instant for which the store was pruned, which records age by.
        var now = Instant(nanoseconds: .min)
        var isClosed = false
        /// The place behind which a channel begins that is not there.
        var floor = Offset.origin
        /// The most channels that there may be.
        var limit = Int.max
        var outbox = MemoryOutbox()

        mutating func append(_ change: Append, retention: Retention) throws(StoreError) {
            let floor = self.floor
            if let index = self.channels.index(forKey: change.channel) {
                // In its place: a channel that is looked up as a value is copied.
                try self.channels.values[index].append(change, retention: retention, floor: floor)
            } else {
                var channel = Channel(behind: floor)
                try channel.append(change, retention: retention, floor: floor)
                guard self.channels.count < self.limit else { throw .tooManyChannels }
                self.channels[change.channel] = channel
            }
            for delivery in change.deliveries {
                self.add(delivery, to: change.channel, atMost: retention.deliveries)
            }
        }

        mutating func prune(at now: Instant, retention: Retention) {
            self.now = max(self.now, now)
            for index in self.channels.values.indices {
                self.channels.values[index].prune(at: now, retention: retention)
            }
        }
    }
}
