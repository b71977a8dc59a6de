/// The character encoding of a text file; a byte order mark overrides it.
public enum TextEncoding: Hashable, Sendable {
    /// UTF-8, of which ASCII is a part.
    case utf8
    /// UTF-16, the high byte first, as it is without a byte order mark (RFC 2781 §4.3).
    case utf16BigEndian
    /// UTF-16, the low byte first.
    case utf16LittleEndian

    /// An encoding by its name in a `charset` parameter; `nil` for others.
    public init?(charset: String) {
        switch charset.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii": self = .utf8
        case "utf-16", "utf16", "utf-16be": self = .utf16BigEndian
        case "utf-16le": self = .utf16LittleEndian
        default: return nil
        }
    }

    /// Bytes as a text; `nil` when they are invalid in the encoding.
    ///
    /// A byte order mark overrides the encoding, and is left out. Without either, the first bytes decide.
    static func text(_ bytes: [UInt8], in encoding: Self?) -> String? {
        let marks: [(bytes: [UInt8], encoding: Self)] = [
            ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
        ]
        if let mark = marks.first(where: { bytes.starts(with: $0.bytes) }) {
            return mark.encoding.text(bytes.dropFirst(mark.bytes.count))
        }
        // A `.strings` file begins with ASCII, of which every other byte is zero in UTF-16.
        let guess: Self = bytes.first == 0 ? .utf16BigEndian : bytes.dropFirst().first == 0 ? .utf16LittleEndian : .utf8
        return (encoding ?? guess).text(bytes[...])
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard self != .utf8 else { return String(validating: bytes, as: UTF8.self) }
        guard bytes.count.isMultiple(of: 2) else { return nil }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var rest = bytes.makeIterator()
        while let first = rest.next(), let second = rest.next() {
            let (high, low) = self == .utf16LittleEndian ? (second, first) : (first, second)
            units.append(UInt16(high) << 8 | UInt16(low))
        }
        return String(validating: units, as: UTF16.self)
    }
}
