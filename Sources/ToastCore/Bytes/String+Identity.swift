extension String {
    /// Whether both texts have the same bytes in UTF-8, so that JSON takes them for the same (RFC 8259 §8.3).
    ///
    /// `==` also holds for two spellings of the same characters, such as `é` as one code point or as two.
    package func hasSameBytes(as other: String) -> Bool {
        // Most texts that are compared have different lengths, and a span takes long to make.
        guard self.utf8.count == other.utf8.count else { return false }
        let own = self.utf8Span.span
        let others = other.utf8Span.span
        // `elementsEqual` takes six times as long.
        var index = 0
        while index < own.count, own[index] == others[index] { index += 1 }
        return index == own.count
    }
}

extension String? {
    /// Whether both texts have the same bytes, or neither is there.
    package func hasSameBytes(as other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.hasSameBytes(as: other)
    }
}
