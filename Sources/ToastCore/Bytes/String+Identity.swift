extension String {
    /// Whether both texts have the same bytes in UTF-8, so that JSON takes them for the same (RFC 8259 §8.3).
    ///
    /// `==` also holds for two spellings of the same characters, such as `é` as one code point or as two.
    package func hasSameBytes(as other: String) -> Bool {
        self.utf8.count == other.utf8.count && self.utf8.elementsEqual(other.utf8)
    }
}

extension String? {
    /// Whether both texts have the same bytes, or neither is there.
    package func hasSameBytes(as other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.hasSameBytes(as: other)
    }
}
