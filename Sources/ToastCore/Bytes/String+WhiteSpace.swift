extension String {
    /// Whether nothing but white space is in the text.
    var isBlank: Bool {
        // Most texts begin with a visible ASCII character.
        if let first = self.utf8.first, (0x21...0x7E).contains(first) { return false }
        return self.unicodeScalars.allSatisfy(\.isBlank)
    }

    /// The text without the white space around it.
    package var trimmed: String {
        // Most texts begin and end with a visible ASCII character, and need no trimming.
        let isVisible: (UInt8) -> Bool = { (0x21...0x7E).contains($0) }
        if let first = self.utf8.first, let last = self.utf8.last, isVisible(first), isVisible(last) { return self }
        let start = self.unicodeScalars.drop(while: \.isBlank)
        let end = start.lastIndex { !$0.isBlank }
        return end.map { String(start[...$0]) } ?? ""
    }

    /// Whether the text has at most `limit` Unicode code points, which is what JSON Schema counts (`maxLength`).
    func hasAtMost(_ limit: Int) -> Bool {
        // A code point takes at least a byte, so most texts need not be counted.
        self.utf8.count <= limit || self.unicodeScalars.count <= limit
    }
}

extension Unicode.Scalar {
    /// Whether it is white space; ECMAScript, and so the API description, counts the byte order mark.
    fileprivate var isBlank: Bool { self.properties.isWhitespace || self == "\u{FEFF}" }
}
