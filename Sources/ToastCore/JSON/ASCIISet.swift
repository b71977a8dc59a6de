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
        // The shift takes the last six bits of the byte, so that it needs no look at its size.
        byte < 128 && (byte < 64 ? self.low : self.high) &>> UInt64(byte) & 1 != 0
    }
}
