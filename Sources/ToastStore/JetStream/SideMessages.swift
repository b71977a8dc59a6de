import NATS
import ToastCore

/// What an append stores beside its messages of the log.
struct SideMessages {
    let channel: ChannelName
    let subjects: Subjects
    /// How long the server keeps records and outcomes.
    let timeToLive: Duration

    private(set) var messages: [StreamMessage] = []
    /// The outcomes of known toasts, which may also be stored after the append.
    private var outcomes: [StreamMessage] = []
    /// The deliveries in ``messages``, with the indices of their messages there.
    private(set) var deliveries: [(place: DeliveryPlace, header: DeliveryHeader, index: Int)] = []
    /// The deliveries for which there is no room, which are stored after the append.
    private(set) var lateDeliveries: [(place: DeliveryPlace, header: DeliveryHeader, message: StreamMessage)] = []
    private(set) var records: RecordIndex?

    /// How long a displaced record stays as a void one: the shortest time that servers know.
    private static let voidTimeToLive = Duration.seconds(1)

    init(channel: ChannelName, subjects: Subjects, timeToLive: Duration) {
        self.channel = channel
        self.subjects = subjects
        self.timeToLive = timeToLive
    }

    /// Adds the records of an append, voids those that it displaces, and notes the outcomes of known toasts.
    mutating func add(_ change: Append, records known: RecordIndex?) {
        self.records = known
        for record in change.records {
            let token = Subjects.token(of: record.key)
            let header = RecordHeader(record)
            self.records?.add(header, token: token)
            self.add(header, token: token, body: RecordBody.encode(record), for: self.timeToLive)
        }
        for owner in change.displaced {
            guard let token = self.records?.oldest(of: owner), let entry = self.records?.entries[token] else {
                continue
            }
            self.records?.remove(token)
            let void = RecordHeader(owner: owner, at: entry.header.at, isVoid: true)
            self.add(void, token: token, body: [], for: Self.voidTimeToLive)
        }
        for outcome in change.outcomes where self.records?.isOpen(outcome.id) == true {
            self.records?.end(outcome.id)
            self.outcomes.append(
                StreamMessage(
                    subject: self.subjects.subject(.outcome, of: self.channel, outcome.id.description),
                    body: outcome.document,
                    timeToLive: self.timeToLive,
                    replacesSubject: true
                )
            )
        }
    }

    /// Adds as many of the noted outcomes as there is room for; returns the others.
    mutating func addOutcomes(room: Int) -> [StreamMessage] {
        let count = min(max(room, 0), self.outcomes.count)
        self.messages += self.outcomes[..<count]
        return Array(self.outcomes[count...])
    }

    private mutating func add(_ header: RecordHeader, token: String, body: [UInt8], for time: Duration) {
        let subject = self.subjects.subject(.record, of: self.channel, token)
        // The append may displace a record of its own: only the last message of a subject counts.
        self.messages.removeAll { $0.subject == subject }
        self.messages.append(
            StreamMessage(
                subject: subject,
                body: body,
                headers: [RecordHeader.name: header.text],
                timeToLive: time,
                replacesSubject: true
            )
        )
    }

    mutating func add(_ snapshot: StoredSnapshot) {
        for piece in Piece.cut(snapshot.state, of: snapshot.offset.rawValue) {
            let subject = self.subjects.subject(.snapshot, of: self.channel, String(piece.index))
            self.messages.append(piece.message(on: subject))
        }
    }

    /// Adds those deliveries whose webhooks are switched on.
    ///
    /// - Parameters:
    ///   - new: The deliveries.
    ///   - end: The last event of the append.
    ///   - first: The index of the first one among the deliveries of the same offset.
    ///   - webhooks: The ids of the webhooks that are switched on.
    ///   - most: How many may wait for one webhook.
    ///   - room: How many deliveries the append has room for.
    /// - Returns: How many deliveries were given up.
    mutating func add(
        _ new: [NewDelivery],
        at end: Offset,
        from first: Int,
        _ webhooks: Set<String>,
        most: Int,
        room: Int
    ) -> Int {
        let wanted = new.map { (webhook: $0.webhook.id, delivery: $0) }.filter { webhooks.contains($0.webhook) }
        var counts: [String: Int] = [:]
        let kept = wanted.enumerated().reversed().filter { _, entry in
            counts[entry.webhook, default: 0] += 1
            return counts[entry.webhook, default: 0] <= most
        }
        for (index, entry) in kept.reversed() {
            let webhook = WebhookKey(channel: self.channel, id: entry.webhook)
            let place = DeliveryPlace(webhook: webhook, offset: end, index: first + index)
            let header = DeliveryHeader(at: entry.delivery.at, due: entry.delivery.due)
            let message = StreamMessage(
                subject: place.subject(self.subjects),
                body: DeliveryBody.encode(entry.delivery),
                headers: [DeliveryHeader.name: header.text]
            )
            if self.deliveries.count < room {
                self.deliveries.append((place, header, self.messages.count))
                self.messages.append(message)
            } else {
                self.lateDeliveries.append((place, header, message))
            }
        }
        return wanted.count - kept.count
    }
}
