extension ByteBuffer {
    /// Adds a number, with zeros in front up to a width.
    package mutating func digits(_ number: UInt64, width: Int = 1) {
        if number >= 10 || width > 1 { self.digits(number / 10, width: width - 1) }
        self.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
