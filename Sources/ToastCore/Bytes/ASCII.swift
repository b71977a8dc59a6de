extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension FixedWidthInteger {
    /// The number that a text of decimal digits stands for; `nil` for any other text, and for a number too large.
    ///
    /// `init(_:)` would also accept a sign.
    package init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy(\.isDigit) else { return nil }
        self.init(text, radix: 10)
    }
}
