import CombiningMarks

/// A request target: the path in decoded segments, and the query.
///
/// Decoded here from the raw target, because in the paths that libmicrohttpd decodes, an encoded slash is a slash and
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
    /// escape, an encoded slash or NUL, text that is not UTF-8 or has too many combining marks in a row, or a `.` or
    /// `..` segment.
    public init?(_ raw: some Collection<UInt8>) {
        self.init(bytes: Array(raw))
    }

    private init?(bytes: [UInt8]) {
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        let isPlain = bytes.allSatisfy(\.isLiteral)
        var path: [String] = []
        path.reserveCapacity(8)
        var (start, index) = (1, 1)
        while index < bytes.count, bytes[index] != UInt8(ascii: "?") {
            guard !bytes[index].isForbiddenInTarget else { return nil }
            if bytes[index] == UInt8(ascii: "/") {
                guard let segment = Self.segment(bytes.span.extracting(start..<index), isPlain) else { return nil }
                path.append(segment)
                start = index + 1
            }
            index += 1
        }
        if index > 1 {
            guard let segment = Self.segment(bytes.span.extracting(start..<index), isPlain) else { return nil }
            path.append(segment)
        }
        self.path = path
        guard index < bytes.count else {
            self.query = []
            return
        }
        guard let items = Self.items(bytes.span.extracting((index + 1)...), isPlain) else { return nil }
        self.query = items
    }

    /// The first value of a parameter; nil when the query does not have it.
    public func value(_ name: String) -> String? {
        self.query.first { $0.name == name }?.value
    }

    /// The most bytes of a path before it is decoded, and the most segments of it.
    ///
    /// The longest path that a route takes has 7 segments and, with every byte escaped, about 500 bytes.
    public static let (pathLimit, segmentLimit) = (1024, 16)

    /// Whether the path of a raw target is longer than allowed; decodes nothing.
    static func hasLongPath(_ raw: [UInt8]) -> Bool {
        let path = raw[..<(raw.firstIndex(of: UInt8(ascii: "?")) ?? raw.count)]
        return path.count > Self.pathLimit || path.count { $0 == UInt8(ascii: "/") } > Self.segmentLimit
    }

    /// All values of a parameter.
    public func values(_ name: String) -> [String] {
        self.query.filter { $0.name == name }.map(\.value)
    }

    private static func segment(_ text: Span<UInt8>, _ isPlain: Bool) -> String? {
        guard let segment = Self.decode(text, isPlain, plusIsSpace: false), segment != ".", segment != ".." else {
            return nil
        }
        // Here a slash can only come from an escape.
        let hasSlash = text.count > segment.utf8.count && segment.utf8.contains(UInt8(ascii: "/"))
        return hasSlash ? nil : segment
    }

    private static func items(_ query: Span<UInt8>, _ isPlain: Bool) -> [Item]? {
        var items: [Item] = []
        var start = 0
        while start < query.count {
            // A parameter ends at `&`, and its name at the first `=`.
            var (end, nameEnd): (Int, Int?) = (start, nil)
            while end < query.count, query[end] != UInt8(ascii: "&") {
                guard !query[end].isForbiddenInTarget else { return nil }
                if nameEnd == nil, query[end] == UInt8(ascii: "=") { nameEnd = end }
                end += 1
            }
            if end > start {
                let name = query.extracting(start..<(nameEnd ?? end))
                let value = query.extracting(min(end, (nameEnd ?? end) + 1)..<end)
                guard let name = Self.decode(name, isPlain, plusIsSpace: true),
                    let value = Self.decode(value, isPlain, plusIsSpace: true)
                else { return nil }
                items.append(Item(name: name, value: value))
            }
            start = end + 1
        }
        return items
    }

    /// Decodes percent escapes; nil when one is wrong, stands for NUL, or the result is not UTF-8.
    private static func decode(_ text: Span<UInt8>, _ isPlain: Bool, plusIsSpace: Bool) -> String? {
        guard !isPlain else { return Self.string(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "%"):
                guard index + 2 < text.count, let high = text[index + 1].hexadecimalValue,
                    let low = text[index + 2].hexadecimalValue, high << 4 | low != 0
                else { return nil }
                bytes.append(high << 4 | low)
                index += 2
            case UInt8(ascii: "+") where plusIsSpace:
                bytes.append(UInt8(ascii: " "))
            case let byte:
                bytes.append(byte)
            }
            index += 1
        }
        return String(received: bytes)
    }

    private static func string(_ bytes: Span<UInt8>) -> String? {
        do { return String(copying: try UTF8Span(validating: bytes)) } catch { return nil }
    }
}

extension UInt8 {
    /// Controls, blanks and `#` are not allowed in a target (RFC 9112 §3.2).
    fileprivate var isForbiddenInTarget: Bool { self <= 0x20 || self == 0x7F || self == UInt8(ascii: "#") }

    /// Whether the byte is ASCII and never decoded; in most targets all bytes are.
    fileprivate var isLiteral: Bool { self < 0x80 && self != UInt8(ascii: "%") && self != UInt8(ascii: "+") }

    /// The value of a hexadecimal digit; nil for any other byte.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
