/// A colour of the sRGB space, with an opacity.
///
/// It is parsed once, when it is set.
public struct Color: Hashable, Sendable {
    /// How much red, 0 to 255.
    public let red: UInt8

    /// How much green, 0 to 255.
    public let green: UInt8

    /// How much blue, 0 to 255.
    public let blue: UInt8

    /// How opaque it is, 0 to 255.
    public let opacity: UInt8

    /// A colour of its parts, 0 to 255.
    public init(red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8 = 255) {
        (self.red, self.green, self.blue, self.opacity) = (red, green, blue, opacity)
    }

    /// Reads `RRGGBB` or `RRGGBBAA`, with or without `#`, as `ToasterConfig.plist` has them.
    ///
    /// White space around it is dropped. All characters have to be digits; Toaster reads `12ZZZZ` as `12`, and takes
    /// `0x1234` for six digits.
    public init?(hex text: String) {
        var digits = text.trimmed[...]
        if digits.first == "#" { digits = digits.dropFirst() }
        guard let bytes = digits.hexadecimalBytes, bytes.count == 3 || bytes.count == 4 else { return nil }
        self.init(red: bytes[0], green: bytes[1], blue: bytes[2], opacity: bytes.count == 4 ? bytes[3] : 255)
    }

    /// Opaque black.
    public static let black = Self(red: 0, green: 0, blue: 0)

    /// Opaque white.
    public static let white = Self(red: 255, green: 255, blue: 255)
}

extension Color: JSONWritable {
    /// Writes `"#RRGGBB"`, or `"#RRGGBBAA"` when it is not opaque: what CSS understands, too.
    public func write(to writer: inout JSONWriter) { writer.string(self.hex) }

    /// The colour as `#RRGGBB`, or `#RRGGBBAA` when it is not opaque.
    public var hex: String {
        let parts = [self.red, self.green, self.blue] + (self.opacity == 255 ? [] : [self.opacity])
        return "#" + parts.hexadecimal.uppercased()
    }
}

extension Issues {
    mutating func color(_ value: JSON) -> Color? {
        value.string.flatMap(Color.init(hex:))
            ?? self.refuse("A colour of 6 or 8 hexadecimal digits is expected, as in #1E90FF or #1E90FFCC.")
    }
}
