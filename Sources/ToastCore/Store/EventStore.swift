/// An event as a store keeps it: where it stands, when it happened, and its envelope as it goes over the wire.
public struct StoredEvent: Hashable, Sendable {
    /// The place of the event in its channel.
    public let offset: Offset

    /// When the event happened; retention by age counts from here.
    public let at: Instant

    /// The event's envelope: one JSON object in UTF-8, sent to consumers byte for byte.
    public let envelope: [UInt8]

    /// An event for a store.
    public init(offset: Offset, at: Instant, envelope: [UInt8]) {
        self.offset = offset
        self.at = at
        self.envelope = envelope
    }
}

/// The whole state of a channel right behind an offset, so that a reader need not fold its events from the first.
public struct StoredSnapshot: Hashable, Sendable {
    /// The last event that the state contains.
    public let offset: Offset

    /// The state as the engine wrote it: JSON in UTF-8, a secret of the engine.
    public let state: [UInt8]

    /// A snapshot for a store.
    public init(offset: Offset, state: [UInt8]) {
        self.offset = offset
        self.state = state
    }
}

/// What a store knows of a channel: its latest snapshot and every event behind it.
public struct StoredChannel: Hashable, Sendable {
    /// The state to start from; `nil` when no snapshot was ever kept.
    public let snapshot: StoredSnapshot?

    /// The events behind the snapshot, oldest first.
    public let tail: [StoredEvent]

    /// The last event of the channel.
    public let last: Offset

    /// The channel's webhooks, in their order.
    public let webhooks: [Webhook]

    /// How many idempotency records are kept; `nil` when there are so many that it takes a walk to tell.
    public let recordCount: Int?

    /// The toasts of idempotency records of which no outcome is kept.
    public let openToasts: [ToastID]

    /// A channel as a store reads it.
    public init(
        snapshot: StoredSnapshot?,
        tail: [StoredEvent],
        last: Offset,
        webhooks: [Webhook] = [],
        recordCount: Int? = 0,
        openToasts: [ToastID] = []
    ) {
        self.snapshot = snapshot
        self.tail = tail
        self.last = last
        self.webhooks = webhooks
        self.recordCount = recordCount
        self.openToasts = openToasts
    }
}

/// Part of a channel's history, as a reader asked for it.
public struct History: Hashable, Sendable {
    /// The events behind the asked offset, oldest first, without a gap.
    public let events: [StoredEvent]

    /// Whether events between the asked offset and the first one here were already forgotten.
    public let isCut: Bool

    /// A part of a history.
    public init(events: [StoredEvent], isCut: Bool) {
        self.events = events
        self.isCut = isCut
    }
}

/// Why a store did not do what it was asked.
public enum StoreError: Error, Hashable, Sendable {
    /// The channel stands at another offset than expected: load it again and decide anew.
    case conflict(current: Offset)

    /// Nothing was written, and a later attempt may succeed: the disk is full, read-only or failing. The text
    /// is for the log.
    case unavailable(String)

    /// What was read makes no sense: a person has to look at it. The text is for the log.
    case corrupt(String)

    /// As many channels are kept as may be, and this would be one more: come back when one was forgotten.
    case tooManyChannels
}

extension StoreError: CustomStringConvertible {
    /// The reason in a sentence.
    public var description: String {
        switch self {
        case .conflict(let current): "The channel stands at offset \(current.rawValue)."
        case .unavailable(let reason), .corrupt(let reason): reason
        case .tooManyChannels: "As many channels are kept as may be."
        }
    }
}

/// How long a store keeps events.
public struct Retention: Hashable, Sendable {
    /// The events kept for each channel, at least 1.
    public let events: Int

    /// The age at which an event may be forgotten.
    public let age: Interval

    /// How long an idempotency record is kept.
    public let recordAge: Interval

    /// The most deliveries that wait for one webhook; past it the oldest is given up.
    public let deliveries: Int

    /// 1000 events or 12 hours for each channel, whichever is less; idempotency records for 24 hours.
    public static let standard = Self(
        events: 1000,
        age: Interval(seconds: 12 * 3600),
        recordAge: Interval(seconds: 24 * 3600)
    )

    /// A retention rule.
    public init(events: Int, age: Interval, recordAge: Interval, deliveries: Int = Outbox.capacity) {
        self.events = events
        self.age = age
        self.recordAge = recordAge
        self.deliveries = deliveries
    }
}

/// Channels that may be empty, and where to look on.
public struct QuietChannels: Hashable, Sendable {
    /// The channels, in the order of their names.
    public let names: [ChannelName]

    /// The channel behind which to look on; `nil` when all were looked at.
    public let next: ChannelName?

    /// A part of a store's channels.
    public init(names: [ChannelName], next: ChannelName?) {
        self.names = names
        self.next = next
    }
}

/// Where channels are kept: a log of events, the latest snapshot, and idempotency records for each channel.
///
/// The core defines the port, adapters implement it, and every adapter passes the same contract tests.
/// Forgetting old events never touches what a channel needs to be rebuilt: its snapshot and all behind it.
public protocol EventStore: DeliveryStore {
    /// The life that this store's offsets belong to.
    var epoch: Epoch { get }

    /// Why nothing can be written now; `nil` as far as anyone knows that it can.
    ///
    /// A store that fails tries by itself whether it can write again. Whoever asks costs nothing.
    var failure: StoreError? { get }

    /// Adds events to a channel, all or none.
    ///
    /// A channel to which nothing was added yet stands wherever the change says, up to the ``floor``. When it returns, the events survive the end of this process. Calls for one channel take effect in the
    /// order in which they were made.
    ///
    /// - Throws: `conflict` when the channel stands elsewhere, `unavailable` when nothing could be written,
    ///   `tooManyChannels` when there is no room for a new one.
    func append(_ change: Append) async throws(StoreError)

    /// Adds events to several channels: for each the same as ``append(_:)``, but with one way there and back for all.
    ///
    /// - Parameters:
    ///   - changes: The changes, which neither stand nor fall together.
    ///   - answer: Is called once, on any thread, with what went wrong with each of them.
    func append(_ changes: [Append], answer: @escaping @Sendable ([StoreError?]) -> Void)

    /// This store, if it never waits; `nil` when it may have to.
    var immediate: (any ImmediateStore)? { get }

    /// Reads what is needed to rebuild a channel; `nil` when the store never heard of it.
    func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel?

    /// Reads events of a channel behind an offset, oldest first.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - offset: The event behind which to begin.
    ///   - limit: The most events to read.
    ///   - bytes: The most bytes that their envelopes have together; a single event may have more.
    /// - Returns: The events, and whether some before them were forgotten.
    /// - Throws: `unavailable` or `corrupt` when they cannot be read.
    func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int,
        bytes: Int
    ) async throws(StoreError) -> History

    /// Looks up an idempotency record that is no older than the retention says.
    func record(of channel: ChannelName, key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord?

    /// How a toast ended that was published under an idempotency key; `nil` when it has not, or its keys are forgotten.
    func outcome(of toast: ToastID, in channel: ChannelName) async throws(StoreError) -> ToastOutcome?

    /// How many idempotency records of a channel are kept for each owner, those past their age among them as long as they
    /// are.
    func recordCounts(of channel: ChannelName) async throws(StoreError) -> [String: Int]

    /// The names of the channels that the store knows, in order, behind `name` if one is given.
    func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName]

    /// How many channels are kept. Whoever asks costs nothing.
    var channelCount: Int { get }

    /// The place behind which a channel begins that the store does not know.
    ///
    /// That is where the farthest of all channels stood that were forgotten: an offset is never used again, so that a
    /// cursor of a channel that was forgotten points behind its new beginning.
    var floor: Offset { get }

    /// Keeps at most so many channels from now on; those that are there stay.
    func limitChannels(to count: Int)

    /// Looks for channels without webhooks and idempotency records, in which nothing has happened since an instant.
    ///
    /// - Parameters:
    ///   - name: The channel behind which to look; `nil` to begin.
    ///   - instant: Since when.
    ///   - limit: How many channels to look at; a store to which it makes no difference looks at all.
    /// - Returns: Those that were found, and where to look on.
    /// - Throws: `unavailable` when the store cannot be read.
    func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels

    /// Forgets a channel whole, if it still stands at an offset and has neither webhooks nor idempotency records.
    ///
    /// To be asked for one in which there is nothing: whoever has it in memory may go on from where it stands.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - offset: The last event that it was seen to be empty behind.
    /// - Returns: Whether it was forgotten.
    /// - Throws: `unavailable` when nothing could be written.
    @discardableResult
    func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool

    /// Removes a channel whole, with its records, its webhooks and what waits for these, if it still stands at an offset.
    ///
    /// What comes after is a new channel: it begins one place behind, so that every cursor of the old one lacks something.
    /// When it returns, the removal survives the end of this process; it happens whole or not at all.
    ///
    /// - Parameters:
    ///   - channel: The channel; one that the store does not know is removed already.
    ///   - offset: The last event that whoever removes it knows of.
    /// - Returns: Whether it is gone; it is not when it stands elsewhere.
    /// - Throws: `unavailable` when nothing could be written.
    func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool

    /// Forgets what the retention allows at this instant; called now and then.
    func prune(at now: Instant) async throws(StoreError)

    /// Writes out all that was accepted and ends; later calls throw `unavailable`.
    func close() async
}

extension EventStore {
    /// Nothing: a store that needs no disk never fails to write.
    public var failure: StoreError? { nil }

    /// None: a store waits for its disk.
    public var immediate: (any ImmediateStore)? { nil }

    /// Reads at most `limit` events of a channel behind an offset, oldest first, however long they are.
    public func events(of channel: ChannelName, after offset: Offset, limit: Int) async throws(StoreError) -> History {
        try await self.events(of: channel, after: offset, limit: limit, bytes: .max)
    }
}

/// A store that never waits, so that to gather appends, or to have a task wait for one, would gain nothing.
public protocol ImmediateStore: EventStore {
    /// Does what ``EventStore/append(_:)`` does, at once.
    ///
    /// - Throws: What that throws.
    func appendAtOnce(_ change: Append) throws(StoreError)

    /// Adds events to a channel, all or none, at once, and leaves their envelopes to be written for who reads them.
    ///
    /// Most events of a channel without listeners are never read, and an envelope is most of what an event costs.
    ///
    /// - Parameters:
    ///   - events: The events, at least one, without a gap.
    ///   - channel: The channel.
    ///   - expected: The offset that the channel must stand at.
    /// - Throws: What ``EventStore/append(_:)`` throws.
    func appendAtOnce(
        _ events: [Event],
        to channel: ChannelName,
        expecting expected: Offset
    ) throws(StoreError)
}
