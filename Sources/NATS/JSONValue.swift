/// JSON as JetStream writes it: small, and from a server that is trusted, but nothing in it may crash or hang.
///
/// The module stands beside ToastCore, whose reader it therefore cannot use; an answer to a publish has three members.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    /// A number in the text that stands for it, because sequences do not fit into a Double.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// All members in their order; there are few, so a dictionary would take longer.
    case object([Member])

    /// A member of an object.
    struct Member: Equatable {
        let name: String
        let value: JSONValue
    }

    /// Reads a document; nil when it is malformed.
    init?(_ bytes: [UInt8]) {
        var parser = JSONReader(bytes: bytes)
        guard let value = parser.document() else { return nil }
        self = value
    }

    /// The member of a name; of several, the last one.
    subscript(name: String) -> JSONValue? { self.object?.last { $0.name == name }?.value }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var uint64: UInt64? { if case .number(let text) = self { UInt64(text) } else { nil } }
    var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }
    var object: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// A string as JSON.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// Reads RFC 8259, up to 32 levels deep.
private struct JSONReader {
    let bytes: [UInt8]
    var at = 0
    var depth = 0

    mutating func document() -> JSONValue? {
        guard let value = self.value() else { return nil }
        self.skipSpace()
        return self.at == self.bytes.count ? value : nil
    }

    private var next: UInt8? { self.at < self.bytes.count ? self.bytes[self.at] : nil }

    private mutating func skipSpace() {
        while let byte = self.next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { self.at += 1 }
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        self.skipSpace()
        guard self.next == UInt8(ascii: byte) else { return false }
        self.at += 1
        return true
    }

    private mutating func take(word: String) -> Bool {
        guard self.bytes[self.at...].starts(with: word.utf8) else { return false }
        self.at += word.utf8.count
        return true
    }

    private mutating func value() -> JSONValue? {
        self.skipSpace()
        switch self.next {
        case UInt8(ascii: "{"): return self.nested { $0.object() }
        case UInt8(ascii: "["): return self.nested { $0.array() }
        case UInt8(ascii: "\""): return self.text().map { .string($0) }
        case UInt8(ascii: "t"): return self.take(word: "true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return self.take(word: "false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return self.take(word: "null") ? .null : nil
        default: return self.number()
        }
    }

    private mutating func nested(_ body: (inout JSONReader) -> JSONValue?) -> JSONValue? {
        guard self.depth < 32 else { return nil }
        self.depth += 1
        defer { self.depth -= 1 }
        self.at += 1
        return body(&self)
    }

    private mutating func object() -> JSONValue? {
        var members: [JSONValue.Member] = []
        if self.take("}") { return .object(members) }
        repeat {
            self.skipSpace()
            guard self.next == UInt8(ascii: "\""), let name = self.text(), self.take(":"), let value = self.value()
            else { return nil }
            members.append(JSONValue.Member(name: name, value: value))
        } while self.take(",")
        return self.take("}") ? .object(members) : nil
    }

    private mutating func array() -> JSONValue? {
        var values: [JSONValue] = []
        if self.take("]") { return .array(values) }
        repeat {
            guard let value = self.value() else { return nil }
            values.append(value)
        } while self.take(",")
        return self.take("]") ? .array(values) : nil
    }

    private mutating func number() -> JSONValue? {
        let start = self.at
        while let byte = self.next, Self.isPartOfNumber(byte) { self.at += 1 }
        let text = String(decoding: self.bytes[start..<self.at], as: UTF8.self)
        // Most numbers are sequences, and to read a Double takes longer.
        return UInt64(text) == nil && Double(text) == nil ? nil : .number(text)
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func text() -> String? {
        self.at += 1
        var result = ""
        while true {
            guard
                let end = self.bytes[self.at...].firstIndex(where: {
                    $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
                })
            else { return nil }
            result += String(decoding: self.bytes[self.at..<end], as: UTF8.self)
            self.at = end + 1
            if self.bytes[end] == UInt8(ascii: "\"") { return result }
            guard let scalar = self.escape() else { return nil }
            result.unicodeScalars.append(scalar)
        }
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = self.next else { return nil }
        self.at += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "u"):
            guard let high = self.codeUnit() else { return nil }
            guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(UInt32(high)) }
            guard self.take(word: "\\u"), let low = self.codeUnit(), (0xDC00..<0xE000).contains(low) else { return nil }
            return Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        default: return nil
        }
    }

    private mutating func codeUnit() -> UInt16? {
        let digits = self.bytes[self.at...].prefix(4)
        // A sign is no digit, and UInt16 would take one.
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        self.at += 4
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
