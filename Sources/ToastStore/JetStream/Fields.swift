import NATS
import ToastCore

/// Reads the value of a header that toastd defines: `name=value;name=value`.
///
/// Readers ignore names that they do not know, so that a newer version may add some.
struct Fields: Sendable {
    private let values: [(name: Substring, value: Substring)]

    init(reading text: String) {
        // As bytes: where a character ends does not matter here, and is slow to find.
        self.values = text.utf8.split(separator: UInt8(ascii: ";")).compactMap { part in
            part.firstIndex(of: UInt8(ascii: "=")).map { equals in
                (Substring(part[..<equals]), Substring(part[part.index(after: equals)...]))
            }
        }
    }

    /// The text of a name; `nil` when there is none.
    func string(_ name: String) -> String? { self.value(name).map(String.init) }

    func integer(_ name: String) -> Int64? { self.value(name).flatMap { Int64($0) } }

    func sequence(_ name: String) -> UInt64? { self.value(name).flatMap { UInt64($0) } }

    /// The offset of a name; `nil` below zero, or above half of `Int64.max`, so that adding to it does not overflow.
    func offset(_ name: String) -> Offset? {
        self.integer(name).flatMap { (0...Int64.max / 2).contains($0) ? Offset(rawValue: $0) : nil }
    }

    func instant(_ name: String) -> Instant? { self.integer(name).map(Instant.init(nanoseconds:)) }

    /// The value of a name: a search, because with a few names a dictionary takes longer.
    private func value(_ name: String) -> Substring? { self.values.last { $0.name == name }?.value }
}

/// Writes the value of a header that toastd defines, which ``Fields`` reads.
struct FieldWriter: ~Copyable {
    private var buffer = ByteBuffer(capacity: 256)

    /// The value as it stands in the header.
    var text: String { self.buffer.text }

    /// Adds a text, which must be valid in a header and contain no `;`.
    mutating func add(_ name: StaticString, _ text: String) {
        self.begin(name)
        self.buffer.append(text)
    }

    mutating func add(_ name: StaticString, _ number: some FixedWidthInteger) {
        self.begin(name)
        if number < 0 { self.buffer.append(UInt8(ascii: "-")) }
        self.buffer.digits(UInt64(number.magnitude))
    }

    private mutating func begin(_ name: StaticString) {
        if self.buffer.count > 0 { self.buffer.append(UInt8(ascii: ";")) }
        self.buffer.append(name)
        self.buffer.append(UInt8(ascii: "="))
    }
}

extension NATSHeaders {
    /// toastd's header in a message of a channel's log; `nil` when there is none.
    var log: LogHeader? { self[LogHeader.name].flatMap(LogHeader.init) }

    /// toastd's header in a message of an idempotency record.
    var record: RecordHeader? { self[RecordHeader.name].flatMap(RecordHeader.init) }

    /// toastd's header in a message of a delivery.
    var delivery: DeliveryHeader? { self[DeliveryHeader.name].flatMap(DeliveryHeader.init) }
}
