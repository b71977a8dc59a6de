/// The header fields of a request, in the order in which they came.
///
/// All names and values stand in one buffer, so that a request costs two allocations however many fields it has.
/// Names compare without regard to case (RFC 9110 §5.1); values are bytes, read as UTF-8 when asked for as text.
public struct HeaderFields: Sendable {
    private struct Field {
        let name: Range<Int32>
        let value: Range<Int32>
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    /// No fields.
    public init() {}

    /// How many fields there are.
    public var count: Int { self.fields.count }

    /// Adds a field behind the others.
    public mutating func append(name: some Collection<UInt8>, value: some Collection<UInt8>) {
        let start = Int32(self.bytes.count)
        self.bytes.append(contentsOf: name)
        let middle = Int32(self.bytes.count)
        self.bytes.append(contentsOf: value)
        self.fields.append(Field(name: start..<middle, value: middle..<Int32(self.bytes.count)))
    }

    /// The value of the first field of that name, white space around it cut off; nil when there is none.
    ///
    /// - Parameter name: The name in lower case.
    public subscript(_ name: String) -> String? {
        self.fields.first { self.isNamed($0, name) }.map(self.text)
    }

    /// The values of all fields of that name, split at commas as RFC 9110 §5.6.1 has it for lists.
    ///
    /// - Parameter name: The name in lower case.
    /// - Returns: The elements without the blanks around them, empty ones left out.
    public func list(_ name: String) -> [String] {
        // Bytes, not characters: some characters draw the comma behind them into their own, and whoever sends one in front
        // of what a proxy adds would take that away.
        self.fields.filter { self.isNamed($0, name) }.flatMap { field in
            self.slice(field.value).split(separator: UInt8(ascii: ",")).map(\.textWithoutBlanks).filter { !$0.isEmpty }
        }
    }

    /// How many fields have that name.
    ///
    /// - Parameter name: The name in lower case.
    /// - Returns: Their number.
    public func count(of name: String) -> Int {
        self.fields.count { self.isNamed($0, name) }
    }

    /// Whether every name is a token of RFC 9110 §5.1, and no value holds NUL, CR or LF (§5.5).
    var isWellFormed: Bool {
        self.fields.allSatisfy { field in
            !field.name.isEmpty && self.slice(field.name).allSatisfy(\.isTokenCharacter)
                && !self.slice(field.value).contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
        }
    }

    /// The value of the first field of that name as it came, blanks at its end included; nil when there is none.
    func raw(_ name: String) -> ArraySlice<UInt8>? {
        self.fields.first { self.isNamed($0, name) }.map { self.slice($0.value) }
    }

    private func isNamed(_ field: Field, _ name: String) -> Bool {
        guard field.name.count == name.utf8.count else { return false }
        return zip(self.slice(field.name), name.utf8).allSatisfy { $0.asciiLowercased == $1 }
    }

    private func text(_ field: Field) -> String {
        self.slice(field.value).textWithoutBlanks
    }

    private func slice(_ range: Range<Int32>) -> ArraySlice<UInt8> {
        self.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    }
}

extension UInt8 {
    /// A `tchar` of RFC 9110 §5.6.2.
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }

    var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

extension ArraySlice<UInt8> {
    /// The bytes as text, without the spaces and tabs at their ends.
    fileprivate var textWithoutBlanks: String {
        let isInk = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
        guard let first = self.firstIndex(where: isInk), let last = self.lastIndex(where: isInk) else { return "" }
        return String(decoding: self[first...last], as: UTF8.self)
    }
}
