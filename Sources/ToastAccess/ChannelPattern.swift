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

    /// Where to look for the next of these channels, in the order of their names.
    ///
    /// - Parameter place: The name behind which it stands; empty for the beginning.
    /// - Returns: A name behind which nothing stands that comes before it, empty for the beginning; `nil` when none is left.
    func start(behind place: String) -> String? {
        let isBeginning = self.rawValue.utf8.last == UInt8(ascii: "*")
        let stem = isBeginning ? String(self.rawValue.dropLast()) : self.rawValue
        guard place < stem else { return isBeginning && place.hasPrefix(stem) ? place : nil }
        return max(place, Self.lastName(before: stem))
    }

    /// What names are made of, in their order.
    private static let letters = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

    /// The last name that can stand before another one; empty when there is none.
    private static func lastName(before name: String) -> String {
        var bytes = Array(name.utf8)
        guard let last = bytes.popLast(), let rank = self.letters.firstIndex(of: last), rank > 0 else {
            return String(decoding: bytes, as: UTF8.self)
        }
        bytes.append(self.letters[rank - 1])
        bytes += Array(repeating: UInt8(ascii: "z"), count: ChannelName.maximumLength - bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }
}
