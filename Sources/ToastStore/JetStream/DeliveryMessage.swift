import ToastCore

/// A delivery in the log's stream: `….o.P.NAME.WEBHOOK.OFFSET.INDEX`.
///
/// The header has what changes, so that finding what is due needs no bodies.
struct DeliveryHeader: Hashable, Sendable {
    static let name = "Toastd-Delivery"

    /// When the event happened.
    let at: Instant

    /// When it is to be sent.
    var due: Instant

    /// How often it was tried.
    var tries = 0
}

extension DeliveryHeader {
    /// The value of the header.
    var text: String {
        var fields = FieldWriter()
        fields.add("at", self.at.nanoseconds)
        fields.add("due", self.due.nanoseconds)
        fields.add("tries", self.tries)
        return fields.text
    }

    init?(_ text: String) {
        let fields = Fields(reading: text)
        guard let at = fields.instant("at"), let due = fields.instant("due"), let tries = fields.integer("tries"),
            (0...Int64(Int32.max)).contains(tries)
        else { return nil }
        self.init(at: at, due: due, tries: Int(tries))
    }
}

/// The body of a delivery: what never changes.
enum DeliveryBody {
    static func encode(_ delivery: NewDelivery) -> [UInt8] {
        var writer = ByteWriter()
        writer.text(delivery.webhook.rawValue)
        writer.text(delivery.message)
        writer.run(delivery.payload)
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8], _ header: DeliveryHeader) throws(StoreError) -> NewDelivery {
        var reader = ByteReader(bytes, name: "A delivery")
        guard let url = WebhookURL(rawValue: try reader.text()) else { throw reader.damage }
        return NewDelivery(
            webhook: url,
            message: try reader.text(),
            at: header.at,
            due: header.due,
            payload: try reader.run()
        )
    }
}

/// Names a webhook in the cluster.
struct WebhookKey: Hashable, Sendable {
    let channel: ChannelName
    /// The id of its URL.
    let id: String
}

/// Names a delivery in the cluster: its webhook, and its place in the channel's log.
struct DeliveryPlace: Hashable, Comparable, Sendable {
    let webhook: WebhookKey
    /// The last event of the append that brought it.
    let offset: Offset
    /// Its place among the deliveries of that append.
    let index: Int

    var channel: ChannelName { self.webhook.channel }
}

extension DeliveryPlace {
    /// Reads a subject; `nil` when it is none of a delivery.
    init?(_ subject: ChannelSubject) {
        guard subject.kind == .delivery, subject.rest.count == 3, let offset = Int64(subject.rest[1]),
            let index = Int(subject.rest[2])
        else { return nil }
        let webhook = WebhookKey(channel: subject.channel, id: subject.rest[0])
        self.init(webhook: webhook, offset: Offset(rawValue: offset), index: index)
    }

    func subject(_ subjects: Subjects) -> String {
        subjects.subject(.delivery, of: self.channel, self.webhook.id, String(self.offset.rawValue), String(self.index))
    }

    /// Orders the deliveries of a webhook as they entered the queue.
    static func < (left: Self, right: Self) -> Bool {
        (left.offset, left.index, left.webhook.id, left.channel)
            < (right.offset, right.index, right.webhook.id, right.channel)
    }
}
