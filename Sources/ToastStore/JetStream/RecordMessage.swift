import ToastCore

/// What the header of an idempotency record says: enough to count and to displace records without their bodies.
struct RecordHeader: Hashable, Sendable {
    static let name = "Toastd-Record"

    /// The principal that sent the key.
    let owner: String

    /// When the first request was accepted.
    let at: Instant

    /// The toast that the request was about.
    var toast: ToastID?

    /// Whether the record's own body has the outcome of its toast.
    var hasOutcome = false

    /// Whether the record was displaced, and stays only until its time to live ends.
    var isVoid = false
}

extension RecordHeader {
    /// The value of the header.
    var text: String {
        var fields = FieldWriter()
        if self.isVoid { fields.add("void", 1) }
        fields.add("owner", self.owner.utf8.hexadecimal)
        fields.add("at", self.at.nanoseconds)
        if let toast { fields.add("toast", toast.description) }
        if self.hasOutcome { fields.add("outcome", 1) }
        return fields.text
    }

    init(_ record: IdempotencyRecord) {
        self.init(owner: record.key.owner, at: record.at, toast: record.toast, hasOutcome: record.outcome != nil)
    }

    init?(_ text: String) {
        let fields = Fields(reading: text)
        guard let bytes = fields.string("owner")?.hexadecimalBytes,
            let owner = String(validating: bytes, as: UTF8.self), let at = fields.instant("at")
        else { return nil }
        self.init(
            owner: owner,
            at: at,
            toast: fields.string("toast").flatMap(ToastID.init),
            hasOutcome: fields.string("outcome") == "1",
            isVoid: fields.string("void") == "1"
        )
    }
}

/// The body of an idempotency record.
enum RecordBody {
    static func encode(_ record: IdempotencyRecord) -> [UInt8] {
        var writer = ByteWriter()
        writer.text(record.key.text)
        writer.run(record.fingerprint)
        writer.run(record.response)
        writer.optional(record.outcome)
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8], _ header: RecordHeader) throws(StoreError) -> IdempotencyRecord {
        var reader = ByteReader(bytes, name: "An idempotency record")
        let key = IdempotencyKey(try reader.text(), of: header.owner)
        return IdempotencyRecord(
            key: key,
            fingerprint: try reader.run(),
            at: header.at,
            response: try reader.run(),
            toast: header.toast,
            outcome: try reader.optional()
        )
    }
}
