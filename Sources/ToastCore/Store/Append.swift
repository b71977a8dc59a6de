/// One atomic change of a channel.
public struct Append: Sendable {
    /// The channel that changes.
    public let channel: ChannelName

    /// The offset that the channel must stand at: compare and set.
    public let expected: Offset

    /// The events to add, without a gap, the first at `expected.next`; none only when there are ``records``.
    public let events: [StoredEvent]

    /// The state behind the last of the events, when the writer wants one kept; replaces the one before.
    public let snapshot: StoredSnapshot?

    /// The idempotency records that stand or fall with the events.
    public let records: [IdempotencyRecord]

    /// The owners of records of whom the oldest goes, once for each time that they stand here, behind the adding.
    public let displaced: [String]

    /// How toasts ended that were published under keys, for the records of these; a toast that none is about changes nothing.
    public let outcomes: [ToastOutcome]

    /// The messages that tell webhooks of the events; those for a webhook that the channel has not, or that is
    /// switched off, are left out.
    public let deliveries: [NewDelivery]

    /// A change for a store.
    public init(
        channel: ChannelName,
        expected: Offset,
        events: [StoredEvent],
        snapshot: StoredSnapshot? = nil,
        records: [IdempotencyRecord] = [],
        displaced: [String] = [],
        outcomes: [ToastOutcome] = [],
        deliveries: [NewDelivery] = []
    ) {
        self.channel = channel
        self.expected = expected
        self.events = events
        self.snapshot = snapshot
        self.records = records
        self.displaced = displaced
        self.outcomes = outcomes
        self.deliveries = deliveries
    }
}
