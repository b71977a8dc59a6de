/// What a request asks for: the path in decoded segments, and the query.
///
/// Decoded by us from the raw target, because the library hands out paths in which an encoded slash is a slash and
/// an encoded NUL is the end.
public struct Target: Hashable, Sendable {
    /// A parameter of the query.
    public struct Item: Hashable, Sendable {
        /// The decoded name.
        public let name: String

        /// The decoded value; empty when the parameter has none.
        public let value: String
    }

    /// The decoded segments between the slashes: none for `/`, a last empty one for `/a/`.
    public let path: [String]

    /// The parameters in their order; a name may come more than once.
    public let query: [Item]

    /// Decodes a target in origin form (RFC 9112 §3.2.1); nil when it is in another form, holds a wrong percent
    /// escape, an encoded slash or NUL, text that is not UTF-8, or a `.` or `..` segment.
    public init?(_ raw: some Collection<UInt8>) {
        self.init(bytes: Array(raw))
    }

    private init?(bytes: [UInt8]) {
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        guard bytes.first == UInt8(ascii: "/"), !bytes.contains(where: { $0.isForbiddenInTarget }),
            let segments = Self.segments(bytes[1..<(mark ?? bytes.endIndex)])
        else { return nil }
        self.path = segments
        guard let mark else {
            self.query = []
            return
        }
        guard let query = Self.items(bytes[(mark + 1)...]) else { return nil }
        self.query = query
    }

    /// The first value of a parameter; nil when the query does not have it.
    public func value(_ name: String) -> String? {
        self.query.first { $0.name == name }?.value
    }

    /// All values of a parameter.
    public func values(_ name: String) -> [String] {
        self.query.filter { $0.name == name }.map(\.value)
    }

    private static func segments(_ path: ArraySlice<UInt8>) -> [String]? {
        if path.isEmpty { return [] }
        var segments: [String] = []
        segments.reserveCapacity(8)
        var rest = path
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: "/"))
            guard let segment = Self.segment(rest[..<(end ?? rest.endIndex)]) else { return nil }
            segments.append(segment)
            guard let end else { return segments }
            rest = rest[(end + 1)...]
        }
    }

    private static func segment(_ text: ArraySlice<UInt8>) -> String? {
        guard let segment = Self.decode(text, plusIsSpace: false), segment != ".", segment != ".." else { return nil }
        // Only an escape can stand for a slash here.
        guard text.count > segment.utf8.count, segment.utf8.contains(UInt8(ascii: "/")) else { return segment }
        return nil
    }

    private static func items(_ query: ArraySlice<UInt8>) -> [Item]? {
        var items: [Item] = []
        for part in query.split(separator: UInt8(ascii: "&")) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(halves[0], plusIsSpace: true),
                let value = halves.count == 2 ? Self.decode(halves[1], plusIsSpace: true) : ""
            else { return nil }
            items.append(Item(name: name, value: value))
        }
        return items
    }

    /// Decodes percent escapes; nil when one is wrong, stands for NUL, or the result is not UTF-8.
    private static func decode(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
        // Most texts stand for themselves.
        let isPlain = !text.contains { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }
        guard !isPlain else { return Self.string(text.span) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue,
                    high << 4 | low != 0
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                bytes.append(UInt8(ascii: " "))
            default:
                bytes.append(byte)
            }
        }
        return Self.string(bytes.span)
    }

    private static func string(_ bytes: Span<UInt8>) -> String? {
        do { return String(copying: try UTF8Span(validating: bytes)) } catch { return nil }
    }
}

extension UInt8 {
    /// Controls, blanks and `#` have no place in a target (RFC 9112 §3.2).
    fileprivate var isForbiddenInTarget: Bool { self <= 0x20 || self == 0x7F || self == UInt8(ascii: "#") }

    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
