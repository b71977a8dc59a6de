/// A colour of the sRGB space, with an opacity.
///
/// It is parsed once, when it is set.
public struct Color: Hashable, Sendable {
    /// Red, green, blue and opacity, a byte each, red first.
    private let bytes: UInt32

    /// A colour of its parts, 0 to 255.
    public init(red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8 = 255) {
        self.bytes = UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(opacity)
    }

    /// Reads `RRGGBB` or `RRGGBBAA`, with or without `#`, as `ToasterConfig.plist` has them.
    ///
    /// White space around it is dropped. All characters have to be digits; Toaster reads `12ZZZZ` as `12`, and takes
    /// `0x1234` for six digits.
    public init?(hex text: String) {
        var digits = Array(text.trimmed.utf8)[...]
        if digits.first == UInt8(ascii: "#") { digits = digits.dropFirst() }
        guard digits.count == 6 || digits.count == 8 else { return nil }
        var value: UInt32 = 0
        for digit in digits {
            guard let number = digit.hexadecimalValue else { return nil }
            value = value << 4 | UInt32(number)
        }
        self.bytes = digits.count == 8 ? value : value << 8 | 0xFF
    }

    /// Opaque black.
    public static let black = Self(red: 0, green: 0, blue: 0)

    /// Opaque white.
    public static let white = Self(red: 255, green: 255, blue: 255)

    /// How much red, 0 to 255.
    public var red: UInt8 { UInt8(truncatingIfNeeded: self.bytes >> 24) }

    /// How much green, 0 to 255.
    public var green: UInt8 { UInt8(truncatingIfNeeded: self.bytes >> 16) }

    /// How much blue, 0 to 255.
    public var blue: UInt8 { UInt8(truncatingIfNeeded: self.bytes >> 8) }

    /// How opaque it is, 0 to 255.
    public var opacity: UInt8 { UInt8(truncatingIfNeeded: self.bytes) }
}

extension Color: JSONWritable {
    /// Writes `"#RRGGBB"`, or `"#RRGGBBAA"` when it is not opaque: what CSS understands, too.
    public func write(to writer: inout JSONWriter) { writer.string(self.hex) }

    /// The colour as `#RRGGBB`, or `#RRGGBBAA` when it is not opaque.
    public var hex: String {
        let parts = [self.red, self.green, self.blue] + (self.opacity == 255 ? [] : [self.opacity])
        return parts.reduce("#") { $0 + ($1 < 16 ? "0" : "") + String($1, radix: 16, uppercase: true) }
    }
}

extension Issues {
    mutating func color(_ value: JSON) -> Color? {
        value.string.flatMap(Color.init(hex:))
            ?? self.refuse("A colour of 6 or 8 hexadecimal digits is expected, as in #1E90FF or #1E90FFCC.")
    }
}
