/// A length of time on a command line: `90`, `1.5`, `90s`, `5m`, `2h`.
package struct Seconds: Hashable, Sendable {
    package let count: Double

    /// The longest time, about three hundred years, which every type of time can hold.
    private static let longest = 1e10

    /// Reads a number with or without a unit; nil when the text is invalid, negative, or past the longest time.
    package init?(_ text: String) {
        let unit = text.last.flatMap { Self.units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        // `Double` would also read inf, nan, signs and hexadecimal digits.
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let number = Double(digits), number * (unit ?? 1) <= Self.longest
        else { return nil }
        self.count = number * (unit ?? 1)
    }

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
}
