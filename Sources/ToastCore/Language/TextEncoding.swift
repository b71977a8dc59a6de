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
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(validating: bytes.dropFirst(3), as: UTF8.self) }
        if bytes.starts(with: [0xFF, 0xFE]) { return Self.utf16(bytes.dropFirst(2), isLittleEndian: true) }
        if bytes.starts(with: [0xFE, 0xFF]) { return Self.utf16(bytes.dropFirst(2), isLittleEndian: false) }
        switch encoding {
        case .utf16BigEndian: return Self.utf16(bytes[...], isLittleEndian: false)
        case .utf16LittleEndian: return Self.utf16(bytes[...], isLittleEndian: true)
        case .utf8: return String(validating: bytes, as: UTF8.self)
        case nil:
            // A `.strings` file begins with ASCII, of which every other byte is zero in UTF-16.
            if bytes.first == 0 { return Self.utf16(bytes[...], isLittleEndian: false) }
            if bytes.dropFirst().first == 0 { return Self.utf16(bytes[...], isLittleEndian: true) }
            return String(validating: bytes, as: UTF8.self)
        }
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var rest = bytes.makeIterator()
        while let first = rest.next(), let second = rest.next() {
            units.append(isLittleEndian ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second))
        }
        return String(validating: units, as: UTF16.self)
    }
}
