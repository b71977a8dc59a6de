/// A length of time as people write it: `90`, `1.5`, `90s`, `5m`, `2h`.
public struct Seconds: Hashable, Sendable {
    /// How many.
    public let count: Double

    /// The most that is read, some three hundred years: everything that counts time can hold it.
    private static let longest = 1e10

    /// Reads a number with or without a unit; nil when the text is none, negative, or longer than anybody can mean.
    public init?(_ text: String) {
        let unit = text.last.flatMap { Self.units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        // `Double` also reads inf, nan, signs and hexadecimal digits.
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let number = Double(digits), number * (unit ?? 1) <= Self.longest
        else { return nil }
        self.count = number * (unit ?? 1)
    }

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
}
