/// The events of an append.
public enum AppendedEvents: Sendable {
    /// Events with their envelopes.
    case written([StoredEvent])

    /// Events whose envelopes are not written yet.
    ///
    /// A store that keeps bytes writes the envelopes at once. The store in memory writes an envelope when the event is
    /// read, and most events are never read.
    case unwritten([Event])

    /// How many there are.
    public var count: Int {
        switch self {
        case .written(let events): events.count
        case .unwritten(let events): events.count
        }
    }

    /// The events with their envelopes.
    public func stored(channel: ChannelName, epoch: Epoch) -> [StoredEvent] {
        switch self {
        case .written(let events): events
        case .unwritten(let events): Event.stored(events, channel: channel, epoch: epoch)
        }
    }
}

/// One atomic change of a channel.
///
/// A class: it is passed to the store's thread and back, and copies of a struct would retain each array.
public final class Append: Sendable {
    /// The channel that changes.
    public let channel: ChannelName

    /// The offset at which the channel must be: compare and set.
    public let expected: Offset

    /// The events to add, without a gap, the first at `expected.next`; none only when the append has other content.
    public let events: AppendedEvents

    /// The state after the last of the events, when the writer wants one kept; replaces the one before.
    public let snapshot: StoredSnapshot?

    /// The idempotency records that are stored with the events, or not at all.
    public let records: [IdempotencyRecord]

    /// Owners whose oldest record is removed after the new ones are added, once for each time that an owner is listed.
    public let displaced: [String]

    /// How toasts ended, for the records of the keys they were published under; toasts without a record are ignored.
    public let outcomes: [ToastOutcome]

    /// The messages for webhooks; those for a webhook that the channel does not have, or that is disabled, are left
    /// out.
    public let deliveries: [NewDelivery]

    /// The engine's next deadline after these events; `nil` when there is none, or no other process needs it.
    ///
    /// A store that several processes share keeps it: a process that becomes the owner of channels loads those that
    /// have a deadline.
    public let due: Instant?

    /// A change for a store.
    public init(
        channel: ChannelName,
        expected: Offset,
        events: AppendedEvents,
        snapshot: StoredSnapshot? = nil,
        records: [IdempotencyRecord] = [],
        displaced: [String] = [],
        outcomes: [ToastOutcome] = [],
        deliveries: [NewDelivery] = [],
        due: Instant? = nil
    ) {
        self.channel = channel
        self.expected = expected
        self.events = events
        self.snapshot = snapshot
        self.records = records
        self.displaced = displaced
        self.outcomes = outcomes
        self.deliveries = deliveries
        self.due = due
    }
}
