extension ByteBuffer {
    /// Adds a number, with zeros in front up to a width.
    package mutating func digits(_ number: UInt64, width: Int = 1) {
        if number >= 10 || width > 1 { self.digits(number / 10, width: width - 1) }
        self.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Adds a number below 100 in two digits.
    mutating func twoDigits(_ number: UInt64) {
        self.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10))
        self.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Adds a number in so many lower-case hexadecimal digits, those in front left out.
    package mutating func hexadecimalDigits(_ number: UInt64, width: Int) {
        for place in 1...width {
            let value = UInt8(truncatingIfNeeded: number >> UInt64(4 * (width - place))) & 0x0F
            self.append(value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
    }
}
