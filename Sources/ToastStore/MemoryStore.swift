import Synchronization
public import ToastCore

/// A store in memory: the contracts of the ports without durability.
///
/// Everything is gone when the process ends, and the next one has another epoch. No call ever suspends.
public final class MemoryStore: Store {
    /// The life of this object.
    public let epoch: Epoch

    /// `nil`: memory never fails to write.
    public var failure: StoreError? { nil }

    let retention: Retention
    let state = Mutex(State())

    /// An empty store that forgets by `retention`.
    public init(retention: Retention = .standard) {
        self.epoch = Epoch.random()
        self.retention = retention
    }

    /// False: nothing is gained by collecting changes for memory.
    public var gathersAppends: Bool { false }

    /// Appends to several channels, and completes before it returns.
    public func append(_ changes: [Append], completion: @escaping @Sendable ([AppendOutcome]) -> Void) {
        completion(changes.map(self.store))
    }

    private func store(_ change: Append) -> AppendOutcome {
        change.checkShape()
        do throws(StoreError) {
            try self.withState { (state: inout State) throws(StoreError) in
                let (floor, retention, epoch) = (state.floor, self.retention, self.epoch)
                try state.change(change.channel) { (log: inout Channel) throws(StoreError) in
                    try log.stand(at: change.expected, floor: floor)
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

    /// Nothing: this object is the only writer of its log.
    public func onAppendByOthers(_ observer: @escaping @Sendable (ChannelName, Offset) -> Void) {}

    /// Reads what a channel is rebuilt from; one that is not known has nothing and stands at the floor.
    public func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel {
        try self.withState { (state: inout State) throws(StoreError) in
            guard let index = state.channels.index(forKey: channel) else {
                return StoredChannel(snapshot: nil, tail: [], last: state.floor)
            }
            let snapshot = state.channels.values[index].standing.snapshot
            let tail = state.channels.values[index].read(channel, self.epoch, after: snapshot, limit: .max)
            let log = state.channels.values[index]
            return StoredChannel(
                snapshot: log.snapshot,
                tail: tail,
                last: log.standing.last,
                webhooks: log.webhooks,
                recordCount: log.records.count,
                openToasts: log.records.openToasts
            )
        }
    }

    /// Reads events of a channel behind an offset, oldest first: so many at most, and so many bytes.
    public func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int,
        bytes: Int
    ) async throws(StoreError) -> History {
        try self.withState { (state: inout State) throws(StoreError) in
            guard let index = state.channels.index(forKey: channel) else {
                return History(events: [], isCut: LogBounds.beginning(behind: state.floor).isCut(after: offset))
            }
            let events = state.channels.values[index].read(
                channel,
                self.epoch,
                after: offset,
                limit: limit,
                bytes: bytes
            )
            return History(events: events, isCut: state.channels.values[index].standing.isCut(after: offset))
        }
    }

    /// Looks up an idempotency record; one past its age is not found, whether or not it was pruned.
    public func record(of channel: ChannelName, key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord? {
        try self.withState { (state: inout State) throws(StoreError) in
            guard let record = state.channels[channel]?.records[key],
                record.at + self.retention.recordAge >= state.now
            else { return nil }
            return record
        }
    }

    /// How a toast ended that was published under an idempotency key.
    public func outcome(of toast: ToastID, in channel: ChannelName) async throws(StoreError) -> ToastOutcome? {
        try self.withState { (state: inout State) throws(StoreError) in
            state.channels[channel]?.records.outcome(of: toast)
        }
    }

    /// How many idempotency records of a channel are kept for each owner.
    public func recordCounts(of channel: ChannelName) async throws(StoreError) -> [String: Int] {
        try self.withState { (state: inout State) throws(StoreError) in state.channels[channel]?.records.counts ?? [:] }
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
    struct State {
        var channels: [ChannelName: Channel] = [:]
        var catalogs: [LanguageTag: [UInt8]] = [:]
        var documents: [DocumentName: [UInt8]] = [:]
        /// The latest instant for which the store was pruned, which records age by.
        var now = Instant(nanoseconds: .min)
        var isClosed = false
        /// The place behind which a channel begins that is not there.
        var floor = Offset.origin
        /// The most channels that there may be.
        var limit = Int.max
        var outbox = MemoryOutbox()
        var claims = DeliveryClaims()

        /// Changes a channel in its place, because one that is looked up as a value is copied; one that is not there is added.
        mutating func change(
            _ name: ChannelName,
            _ body: (inout Channel) throws(StoreError) -> Void
        ) throws(StoreError) {
            if let index = self.channels.index(forKey: name) { return try body(&self.channels.values[index]) }
            var channel = Channel(behind: self.floor)
            try body(&channel)
            guard self.channels.count < self.limit else { throw .tooManyChannels }
            self.channels[name] = channel
        }

        mutating func prune(at now: Instant, retention: Retention) {
            self.now = max(self.now, now)
            for index in self.channels.values.indices {
                self.channels.values[index].prune(at: now, retention: retention)
            }
        }
    }
}
