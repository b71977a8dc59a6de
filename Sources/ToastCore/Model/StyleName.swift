/// The name of a style: one to 32 lower-case letters, digits and hyphens.
///
/// The engine knows no styles. A viewer without a style of this name shows its default one. The characters are safe in
/// a path and in an attribute.
public struct StyleName: RawRepresentable, Hashable, Sendable, CustomStringConvertible, JSONWritable {
    /// The longest name, in characters.
    public static let maximumLength = 32

    /// The name.
    public let rawValue: String

    /// Checks a name; `nil` when it is empty, too long, or holds a character that is not allowed.
    public init?(rawValue: String) {
        guard (1...Self.maximumLength).contains(rawValue.utf8.count), rawValue.isMade(of: Self.characters) else {
            return nil
        }
        self.rawValue = rawValue
    }

    private init(known name: String) {
        self.rawValue = name
    }

    /// NoticeUI's default style, and this service's.
    public static let glass = Self(known: "glass")

    /// The name itself.
    public var description: String { self.rawValue }

    /// Writes the name, in which nothing needs escapes.
    public func write(to writer: inout JSONWriter) { writer.plain(self.rawValue) }

    /// What a name is made of.
    static let characters = ASCIISet("abcdefghijklmnopqrstuvwxyz0123456789-")
}

extension Issues {
    mutating func style(_ value: JSON) -> StyleName? {
        guard let text = self.text(value, limit: self.limits.textLength) else { return nil }
        return StyleName(rawValue: text)
            ?? self.refuse("One to 32 lower-case letters, digits and hyphens are expected.")
    }
}
