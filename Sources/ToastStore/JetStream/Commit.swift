import NATS
import ToastCore

/// An append as messages: the same each time that it is sent.
struct Commit: Sendable {
    let channel: ChannelName

    /// Identifies the commit; see ``JetStreamStore/nextCommit()``.
    let id: String

    /// Where the channel's log ended before the commit.
    let place: ChannelPlace

    /// What is stored, all or nothing: the messages of the log last.
    let messages: [StreamMessage]

    /// The deliveries in it; `index` is the message's, counted through ``messages`` and then ``rest``.
    let deliveries: [(place: DeliveryPlace, header: DeliveryHeader, index: Int)]

    /// The channel's records after the commit; `nil` when they are not known.
    let records: RecordIndex?

    /// Deliveries, and after them outcomes, for which a batch has no room.
    ///
    /// They are stored after ``messages``, before the append is reported.
    let rest: [StreamMessage]

    /// How many deliveries were given up because too many of the append are for one webhook.
    let displaced: Int

    /// Whether the append has a snapshot that is too large to be stored with its events.
    let omitsSnapshot: Bool

    private let header: LogHeader

    /// Makes the messages of an append, with its events' envelopes, for a place that accepts it.
    ///
    /// The channel's records must be known when the append displaces or ends some. `webhooks` are the ids of the
    /// channel's webhooks that are switched on.
    init(
        _ change: Append,
        _ events: [StoredEvent],
        id: String,
        at place: ChannelPlace,
        records: RecordIndex?,
        webhooks: Set<String>,
        _ subjects: Subjects,
        _ retention: Retention
    ) {
        self.channel = change.channel
        self.id = id
        self.place = place
        let base = place.isFresh ? change.expected : place.base
        var header = LogHeader(
            first: change.expected.next,
            last: change.end,
            at: events.last?.at ?? place.at,
            commit: id,
            base: base
        )
        header.baseSequence = place.baseSequence
        header.hasSnapshot = place.hasSnapshot
        header.life = place.life
        header.due = change.due
        // Of all messages but the last: the append's snapshot is of the end of the last one.
        let earlier = header

        let timeToLive = Duration.nanoseconds(retention.recordAge.nanoseconds)
        var side = SideMessages(channel: change.channel, subjects: subjects, timeToLive: timeToLive)
        side.add(change, records: records)
        // Without the snapshot, the channel is loaded from an earlier one and more events. An append without events, as
        // of a copy, is refused instead, because it is nothing without its snapshot.
        let size = change.snapshot?.state.count ?? 0
        self.omitsSnapshot = size > JetStreamOptions.largestSnapshot && change.events.count > 0
        if let snapshot = change.snapshot, !self.omitsSnapshot {
            side.add(snapshot)
            header.base = snapshot.offset
            header.baseSequence = 0
            header.hasSnapshot = true
        }
        let subject = subjects.subject(.log, of: change.channel)
        let log = Self.log(events, earlier: earlier, last: header, expecting: place.sequence, on: subject)
        let room = JetStreamOptions.longestBatch - log.count
        self.displaced = side.add(
            change.deliveries,
            at: change.end,
            from: Self.firstDelivery(of: change, id),
            webhooks,
            most: retention.deliveries,
            room: room - side.messages.count
        )
        let late = side.lateDeliveries
        self.rest = late.map(\.message) + side.addOutcomes(room: room - side.messages.count)
        self.messages = side.messages + log
        let count = self.messages.count
        let lateDeliveries = late.enumerated().map { (place: $1.place, header: $1.header, index: count + $0) }
        self.deliveries = side.deliveries + lateDeliveries
        self.records = side.records
        self.header = header
    }

    /// The place of an append's first delivery among those of the same offset.
    ///
    /// Appends without events, as those of a copied store, have the same offset, and must not replace each other's
    /// deliveries. The numbers of their commits keep them apart, and in order.
    private static func firstDelivery(of change: Append, _ id: String) -> Int {
        guard change.events.count == 0, let number = id.split(separator: "-").last.flatMap({ Int($0) }) else {
            return 0
        }
        // An append has fewer than 2³² deliveries.
        return number << 32
    }

    /// The messages of the log: the first has the condition, because all are stored together.
    ///
    /// The headers are those of the last message, and of the ones before it; each gets the offsets of its own events.
    private static func log(
        _ events: [StoredEvent],
        earlier: LogHeader,
        last: LogHeader,
        expecting sequence: UInt64,
        on subject: String
    ) -> [StreamMessage] {
        let parts = LogBody.parts(events)
        return parts.enumerated().map { index, part in
            var header = index < parts.count - 1 ? earlier : last
            if let first = part.first, let end = part.last {
                (header.first, header.last, header.at) = (first.offset, end.offset, end.at)
            }
            return StreamMessage(
                subject: subject,
                body: LogBody.encode(part),
                headers: [LogHeader.name: header.text],
                expectedLastSequence: index == 0 ? sequence : nil
            )
        }
    }

    /// Where the channel is once the last message is stored at a sequence.
    func place(storedAt sequence: UInt64) -> ChannelPlace { ChannelPlace(self.header, sequence: sequence) }

    /// The sequence of the message of a delivery.
    ///
    /// - Parameters:
    ///   - index: The index of the message, as in ``deliveries``.
    ///   - last: The sequence of the last one of ``messages``: a batch has no other message in between.
    ///   - rest: The sequences of the first messages of ``rest``, those that are stored.
    /// - Returns: `nil` when the message is not known to be stored.
    func sequence(of index: Int, storedAt last: UInt64, _ rest: [UInt64]) -> UInt64? {
        let late = index - self.messages.count
        if late < 0 { return last - UInt64(-late - 1) }
        return late < rest.count ? rest[late] : nil
    }
}
