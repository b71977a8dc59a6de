/// Some of the ASCII characters, a bit for each.
package struct ASCIISet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The characters of a text; those that are not ASCII are left out.
    package init(_ text: String) {
        for byte in text.utf8 where byte < 128 {
            if byte < 64 { self.low |= 1 << UInt64(byte) } else { self.high |= 1 << UInt64(byte - 64) }
        }
    }

    /// Whether a byte is one of them.
    @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        // A shift by more than all bits leaves none.
        (self.low >> UInt64(byte) | self.high >> (UInt64(byte) &- 64)) & 1 != 0
    }
}
