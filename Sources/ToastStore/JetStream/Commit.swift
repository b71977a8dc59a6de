import NATS
import ToastCore

/// An append as messages: the same each time that it is sent.
struct Commit: Sendable {
    let channel: ChannelName

    /// Which commit it is.
    let id: String

    /// Where the channel was.
    let place: ChannelPlace

    /// What is stored, all or nothing: the messages of the log last.
    let messages: [StreamMessage]

    /// The deliveries in it, with their places among ``messages``.
    let deliveries: [(place: DeliveryPlace, header: DeliveryHeader, index: Int)]

    /// The records of the channel behind it; `nil` when they are not known.
    let records: RecordIndex?

    /// Outcomes for which a batch has no room.
    ///
    /// They are true once ``messages`` are stored.
    let rest: [StreamMessage]

    /// How many deliveries were given up because there is no room for them.
    let displaced: Int

    private let header: LogHeader

    /// Writes an append, with the envelopes of its events, behind a place that accepts it.
    ///
    /// The channel's records must be known when the append displaces or ends some. `hooks` are the ids of the webhooks
    /// that are switched on.
    init(
        _ change: Append,
        _ events: [StoredEvent],
        id: String,
        at place: ChannelPlace,
        records: RecordIndex?,
        hooks: Set<String>,
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

        let timeToLive = Self.timeToLive(of: retention)
        var side = SideMessages(channel: change.channel, subjects: subjects, timeToLive: timeToLive)
        side.add(change, records: records)
        if let snapshot = change.snapshot {
            side.add(snapshot)
            header.base = snapshot.offset
            header.baseSequence = 0
            header.hasSnapshot = true
        }
        let log = Self.log(events, header, expecting: place, on: subjects.subject(.log, of: change.channel))
        let room = JetStreamOptions.longestBatch - log.count
        self.displaced = side.add(
            change.deliveries,
            at: change.end,
            from: Self.firstDelivery(of: change, id),
            hooks,
            most: retention.deliveries,
            room: room - side.messages.count
        )
        self.rest = side.addOutcomes(room: room - side.messages.count)
        self.messages = side.messages + log
        self.deliveries = side.deliveries
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
        return number * JetStreamOptions.longestBatch
    }

    /// How long a record is kept by the server: at least a second, because that is the shortest that servers know.
    private static func timeToLive(of retention: Retention) -> Duration {
        .nanoseconds(max(retention.recordAge.nanoseconds, 1_000_000_000))
    }

    /// The messages of the log: the first has the condition, because all are stored together.
    private static func log(
        _ events: [StoredEvent],
        _ whole: LogHeader,
        expecting place: ChannelPlace,
        on subject: String
    ) -> [StreamMessage] {
        let parts = LogBody.parts(events)
        return parts.enumerated().map { index, part in
            var header = whole
            if let first = part.first, let last = part.last {
                (header.first, header.last, header.at) = (first.offset, last.offset, last.at)
            }
            if index < parts.count - 1 {
                // The snapshot is of the last part's end.
                (header.base, header.baseSequence) = (
                    place.isFresh ? whole.first.previous : place.base, place.baseSequence
                )
                header.hasSnapshot = place.hasSnapshot
            }
            return StreamMessage(
                subject: subject,
                body: LogBody.encode(part),
                headers: [LogHeader.name: header.text],
                expectedLastSequence: index == 0 ? place.sequence : nil
            )
        }
    }

    /// Where the channel is once the last message is stored at a sequence.
    func place(storedAt sequence: UInt64) -> ChannelPlace { ChannelPlace(self.header, sequence: sequence) }

    /// The sequence of a message, once the last one is stored at a sequence: a batch has no other message in between.
    func sequence(of index: Int, storedAt last: UInt64) -> UInt64 { last - UInt64(self.messages.count - 1 - index) }
}
