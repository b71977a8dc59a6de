/// The name of a channel: one to 64 letters, digits, underscores or hyphens.
///
/// Every ntfy topic is a valid channel name, so that senders can move without renaming anything.
public struct ChannelName: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The longest name, in characters.
    public static let maximumLength = 64

    /// The name as it stands in paths and events.
    public let rawValue: String

    /// Checks a name; `nil` when it is empty, too long, or holds a character that is not allowed.
    public init?(rawValue: String) {
        guard (1...Self.maximumLength).contains(rawValue.utf8.count), rawValue.isMade(of: Self.characters) else {
            return nil
        }
        self.rawValue = rawValue
    }

    /// The name itself.
    public var description: String { self.rawValue }

    /// Orders names by their bytes, as listings show them.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// What a name is made of.
    static let characters = ASCIISet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
}
