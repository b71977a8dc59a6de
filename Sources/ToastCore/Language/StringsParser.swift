import CombiningMarks

extension Catalog {
    /// Reads a `.strings` file of Apple's, in the text form that people write: `"key" = "format";` and comments.
    ///
    /// It is in UTF-8 or UTF-16, with or without a byte order mark; without a given encoding its first bytes decide.
    ///
    /// - Throws: The first fault, and its line.
    public init(
        strings bytes: [UInt8],
        encoding: TextEncoding? = nil,
        limits: CatalogLimits = .standard
    ) throws(CatalogError) {
        try limits.check(bytes)
        guard !bytes.starts(with: "bplist".utf8) else {
            throw .unreadable("This file was compiled; take its source, or convert it with `plutil -convert json`.")
        }
        guard let text = TextEncoding.text(bytes, in: encoding) else {
            throw .unreadable("The text is not valid in its encoding, UTF-8 or UTF-16.")
        }
        var parser = StringsParser(text: Array(text.utf8), limits: limits)
        self.init(try parser.entries())
    }
}

/// Parses the part of old-style property lists that `.strings` files use.
///
/// ```
/// file  = *( pair )
/// pair  = string [ "=" string ] ";"      ; without a format, the key is the format
/// string = quoted / 1*( letters, digits and _ $ / : . - )
/// ```
private struct StringsParser {
    let text: [UInt8]
    let limits: CatalogLimits
    var index = 0

    mutating func entries() throws(CatalogError) -> [String: CatalogEntry] {
        var entries: [String: CatalogEntry] = [:]
        try self.skipBlanks()
        while self.index < self.text.count {
            let start = self.index
            let key = try self.string()
            guard !key.isEmpty, key.hasAtMost(self.limits.keyLength) else {
                throw self.fault("A key has 1 to \(self.limits.keyLength) characters.", at: start)
            }
            guard entries[key] == nil else { throw self.fault("The key was there before.", at: start) }
            guard entries.count < self.limits.keys else {
                throw .tooLarge("A catalog has at most \(self.limits.keys) keys.")
            }
            entries[key] = .format(try self.format(of: key))
            try self.expect(UInt8(ascii: ";"), "A semicolon is expected here.")
            try self.skipBlanks()
        }
        return entries
    }

    private mutating func format(of key: String) throws(CatalogError) -> String {
        try self.skipBlanks()
        guard self.byte == UInt8(ascii: "=") else { return key }
        self.index += 1
        try self.skipBlanks()
        let start = self.index
        let format = try self.string()
        guard format.hasAtMost(self.limits.formatLength) else {
            throw self.fault("A format has at most \(self.limits.formatLength) characters.", at: start)
        }
        return format
    }

    private mutating func string() throws(CatalogError) -> String {
        let start = self.index
        let text = try self.anyString()
        guard !text.hasTooManyMarks else {
            throw self.fault("A string has at most \(String.mostMarks) combining marks in a row.", at: start)
        }
        return text
    }

    private mutating func anyString() throws(CatalogError) -> String {
        if let quote = self.byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            return try self.quoted(by: quote)
        }
        let word = self.text[self.index...].prefix(while: \.isUnquoted)
        guard !word.isEmpty else { throw self.fault("A string is expected here.") }
        self.index = word.endIndex
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func quoted(by quote: UInt8) throws(CatalogError) -> String {
        let start = self.index
        self.index += 1
        var result: [UInt8] = []
        while let byte = self.byte {
            self.index += 1
            switch byte {
            case quote: return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"): try self.escape(into: &result)
            default: result.append(byte)
            }
        }
        throw self.fault("The string does not end.", at: start)
    }

    /// The character after a backslash; one without a special meaning stands for itself, as in Apple's reader.
    private mutating func escape(into result: inout [UInt8]) throws(CatalogError) {
        guard let byte = self.byte else { return }
        switch byte {
        case UInt8(ascii: "U"), UInt8(ascii: "u"):
            return result.append(contentsOf: Character(try self.unicode()).utf8)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            throw self.fault("Octal escapes are not supported; write \\U and four hexadecimal digits.")
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "a"): result.append(0x07)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "v"): result.append(0x0B)
        default: result.append(byte)
        }
        self.index += 1
    }

    /// `Uxxxx`, or two of them for a character beyond the Basic Multilingual Plane.
    private mutating func unicode() throws(CatalogError) -> Unicode.Scalar {
        let start = self.index
        let unit = try self.unit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if UTF16.isLeadSurrogate(unit), self.byte == UInt8(ascii: "\\") {
            self.index += 1
            let trail = self.byte.map { $0 | 0x20 } == UInt8(ascii: "u") ? try self.unit() : 0
            if UTF16.isTrailSurrogate(trail) { return UTF16.decode(UTF16.EncodedScalar([unit, trail])) }
        }
        throw self.fault("Half of a surrogate pair is no character.", at: start)
    }

    private mutating func unit() throws(CatalogError) -> UInt16 {
        let digits = self.text[self.index...].dropFirst().prefix(4).compactMap(\.hexadecimalValue)
        guard digits.count == 4 else { throw self.fault("Four hexadecimal digits are expected here.") }
        self.index += 5
        return digits.reduce(0) { $0 << 4 | UInt16($1) }
    }
}

extension StringsParser {
    private var byte: UInt8? { self.index < self.text.count ? self.text[self.index] : nil }

    private mutating func expect(_ byte: UInt8, _ detail: String) throws(CatalogError) {
        try self.skipBlanks()
        guard self.byte == byte else { throw self.fault(detail) }
        self.index += 1
    }

    /// Skips white space, `/* … */`, and `//` up to the end of its line.
    private mutating func skipBlanks() throws(CatalogError) {
        while let byte = self.byte {
            switch byte {
            case 0x09...0x0D, 0x20:
                self.index += 1
            case UInt8(ascii: "/") where self.text[self.index...].starts(with: "//".utf8):
                self.index += self.text[self.index...].prefix { $0 != 0x0A && $0 != 0x0D }.count
            case UInt8(ascii: "/") where self.text[self.index...].starts(with: "/*".utf8):
                try self.skipComment()
            default:
                return
            }
        }
    }

    private mutating func skipComment() throws(CatalogError) {
        let start = self.index
        self.index += 2
        while self.index + 1 < self.text.count {
            if self.text[self.index] == UInt8(ascii: "*"), self.text[self.index + 1] == UInt8(ascii: "/") {
                self.index += 2
                return
            }
            self.index += 1
        }
        throw self.fault("The comment does not end.", at: start)
    }

    private func fault(_ detail: String, at place: Int? = nil) -> CatalogError {
        // A line ends with LF, CR, or both.
        var line = 1
        var previous: UInt8 = 0
        for byte in self.text.prefix(place ?? self.index) {
            if byte == 0x0D || (byte == 0x0A && previous != 0x0D) { line += 1 }
            previous = byte
        }
        return .line(line, detail)
    }
}

extension UInt8 {
    /// Whether an unquoted string may contain the byte (CFOldStylePList).
    fileprivate var isUnquoted: Bool { self.isLetter || self.isDigit || "_$/:.-".utf8.contains(self) }
}
