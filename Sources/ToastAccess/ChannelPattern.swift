public import ToastCore

/// Channels by name: one of them, or with a `*` at the end all whose names begin so.
///
/// Nothing more, so that everyone sees at once what a pattern lets through.
public struct ChannelPattern: RawRepresentable, Hashable, Sendable, Codable {
    /// The pattern as it was written.
    public let rawValue: String

    /// All channels.
    public static let all = Self(known: "*")

    /// Checks a pattern; `nil` unless it is a channel's name, the beginning of one with a `*` behind it, or `*`.
    public init?(rawValue: String) {
        let stem = rawValue.hasSuffix("*") ? String(rawValue.dropLast()) : rawValue
        guard rawValue == "*" || ChannelName(rawValue: stem) != nil else { return nil }
        self.rawValue = rawValue
    }

    private init(known text: String) {
        self.rawValue = text
    }

    /// Whether these are all channels of another pattern, and perhaps more.
    func covers(_ other: Self) -> Bool {
        guard self.rawValue.utf8.last == UInt8(ascii: "*") else { return self == other }
        return other.rawValue.utf8.starts(with: self.rawValue.utf8.dropLast())
    }

    /// Whether a channel is one of these.
    public func matches(_ channel: ChannelName) -> Bool {
        // Most have the one for all, and compared whole a text so short is a number.
        guard self.rawValue != "*" else { return true }
        guard self.rawValue.utf8.last == UInt8(ascii: "*") else { return self.rawValue == channel.rawValue }
        return channel.rawValue.utf8.starts(with: self.rawValue.utf8.dropLast())
    }
}
