/// Some of the ASCII characters, a bit for each.
public struct ASCIISet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The characters of a text; those that are not ASCII are left out.
    public init(_ text: String) {
        for byte in text.utf8 where byte < 128 {
            if byte < 64 { self.low |= 1 << UInt64(byte) } else { self.high |= 1 << UInt64(byte - 64) }
        }
    }

    /// Whether a byte is one of them.
    @inline(__always)
    public func contains(_ byte: UInt8) -> Bool {
        // The masking shift uses the low six bits of the byte, so it needs no check of its range.
        byte < 128 && (byte < 64 ? self.low : self.high) &>> UInt64(byte) & 1 != 0
    }
}
