import CombiningMarks

/// The header fields of a request, in the order in which they came.
///
/// All names and values are in one buffer, so that a request takes two allocations, however many fields it has.
/// Names compare without regard to case (RFC 9110 §5.1); callers give them, and the value of ``isSpelled(_:_:)``, in
/// lower case. Values are bytes, decoded as UTF-8 when read as text.
public struct HeaderFields: Sendable {
    private struct Field {
        let name: Range<Int32>
        let value: Range<Int32>
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []
    /// A bit for each length that a name has: most fields that are looked up do not exist, and this shows it at once.
    private var lengths: UInt64 = 0

    /// No fields.
    public init() {}

    /// No fields, with room for `capacity` bytes of names and values.
    init(capacity: Int) {
        self.bytes.reserveCapacity(capacity)
        self.fields.reserveCapacity(8)
    }

    /// How many fields there are.
    public var count: Int { self.fields.count }

    /// Adds a field after the others.
    public mutating func append(name: some Collection<UInt8>, value: some Collection<UInt8>) {
        let start = Int32(self.bytes.count)
        self.bytes.append(contentsOf: name)
        let middle = Int32(self.bytes.count)
        self.lengths |= Self.bit(Int(middle - start))
        self.bytes.append(contentsOf: value)
        self.fields.append(Field(name: start..<middle, value: middle..<Int32(self.bytes.count)))
    }

    /// Removes all fields of that name.
    mutating func remove(_ name: String) {
        guard self.mayHave(name) else { return }
        self.fields = self.fields.filter { !self.isNamed($0, name) }
    }

    /// The value of the first field of that name, without white space around it; nil when there is none.
    public subscript(_ name: String) -> String? {
        self.raw(name).map { String(decoding: $0.trimmingBlanks, as: UTF8.self) }
    }

    /// The values of all fields of that name, split at commas as lists of RFC 9110 §5.6.1.
    ///
    /// Without the blanks around elements, and without empty ones.
    public func list(_ name: String) -> [String] {
        // Bytes, not characters: some code points form one character with a comma after them, so a client that ends its
        // value with one would hide the element that a proxy adds.
        var elements: [String] = []
        guard self.mayHave(name) else { return elements }
        for field in self.fields where self.isNamed(field, name) {
            for element in self.slice(field.value).split(separator: UInt8(ascii: ",")) {
                let text = element.trimmingBlanks
                if !text.isEmpty { elements.append(String(decoding: text, as: UTF8.self)) }
            }
        }
        return elements
    }

    /// Whether the first field of a name has this value, without regard to the case of letters.
    public func isSpelled(_ name: String, _ value: String) -> Bool {
        self.raw(name).map { value.isSpelled(by: $0) } ?? false
    }

    /// How many fields have that name.
    public func count(of name: String) -> Int {
        self.mayHave(name) ? self.fields.count { self.isNamed($0, name) } : 0
    }

    /// Whether every name is a token of RFC 9110 §5.1, and no value holds NUL, CR or LF (§5.5).
    var isWellFormed: Bool {
        self.fields.allSatisfy { field in
            !field.name.isEmpty && self.slice(field.name).allSatisfy(\.isTokenCharacter)
                && !self.slice(field.value).contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
        }
    }

    /// Whether a value has more combining marks in a row than a text may have.
    var haveTooManyMarks: Bool {
        self.fields.contains { field in
            field.value.count > 2 * String.mostMarks && self.slice(field.value).contains { $0 >= 0x80 }
                && String(decoding: self.slice(field.value), as: UTF8.self).hasTooManyMarks
        }
    }

    /// The value of the first field of that name as it came, including blanks at its end; nil when there is none.
    func raw(_ name: String) -> ArraySlice<UInt8>? {
        guard self.mayHave(name) else { return nil }
        return self.fields.first { self.isNamed($0, name) }.map { self.slice($0.value) }
    }

    private func mayHave(_ name: String) -> Bool {
        self.lengths & Self.bit(name.utf8.count) != 0
    }

    private static func bit(_ length: Int) -> UInt64 {
        // The shift uses the last six bits of the length.
        1 &<< UInt64(truncatingIfNeeded: length)
    }

    private func isNamed(_ field: Field, _ name: String) -> Bool {
        field.name.count == name.utf8.count && name.isSpelled(by: self.slice(field.name))
    }

    private func slice(_ range: Range<Int32>) -> ArraySlice<UInt8> {
        self.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    }
}

extension HeaderFields {
    /// Whether the request's host is a name that may exist in the public DNS: one with a dot that is not an address.
    ///
    /// A host whose last label is a number is an IPv4 address for a browser, or invalid (URL Standard, "ends in a
    /// number"). Names below `localhost` resolve to the same machine (RFC 6761 §6.3).
    public var hasPublicHost: Bool {
        guard let host = self.raw("host"), host.first != UInt8(ascii: "[") else { return false }
        let name = host.prefix { $0 != UInt8(ascii: ":") }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let label = name[(dot + 1)...]
        if "localhost".isSpelled(by: label) { return false }
        return label.isEmpty || !label.allSatisfy(\.isDigit)
    }
}

extension UInt8 {
    /// A `tchar` of RFC 9110 §5.6.2.
    var isTokenCharacter: Bool {
        switch Unicode.Scalar(self) {
        case "a"..."z", "A"..."Z", "0"..."9": true
        case "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~": true
        default: false
        }
    }

    /// Whether the byte is an ASCII digit.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// The byte, with an upper-case letter in lower case.
    var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

extension ArraySlice<UInt8> {
    /// The text without the spaces and tabs at its ends.
    fileprivate var trimmingBlanks: Self {
        var text = self
        while let first = text.first, first.isBlank { text.removeFirst() }
        while let last = text.last, last.isBlank { text.removeLast() }
        return text
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
