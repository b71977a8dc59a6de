extension String {
    /// The most combining marks in a row that a text from outside may have.
    ///
    /// The Stream-Safe Text Format allows 30 (UAX #15 §13).
    package static let mostMarks = 64

    /// The sentence that tells a sender what a text must be.
    package static let rule = "Text in UTF-8 with at most \(Self.mostMarks) combining marks in a row is expected."

    /// A text from outside; `nil` when it is not valid UTF-8, or has too many combining marks in a row.
    package init?(received bytes: some Sequence<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self), !text.hasTooManyMarks else { return nil }
        self = text
    }

    /// Whether more than ``mostMarks`` combining marks follow each other.
    ///
    /// No language needs them, and Swift sorts them when it compares or hashes a text, in quadratic time: a name of
    /// 30,000 marks would occupy the loop for a minute.
    package var hasTooManyMarks: Bool {
        // A mark takes at least two bytes.
        guard self.utf8.count > 2 * Self.mostMarks else { return false }
        var count = 0
        for scalar in self.unicodeScalars {
            // The first mark is U+0300.
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            count = isMark ? count + 1 : 0
            if count > Self.mostMarks { return true }
        }
        return false
    }
}
