/// A pattern of channel names: a name, or a prefix followed by `*`.
///
/// It has no other syntax, so that readers see at once which channels match.
package struct ChannelPattern: RawRepresentable, Hashable, Sendable, Codable {
    package let rawValue: String

    package static let all = Self(known: "*")

    /// Checks a pattern; `nil` unless it is a channel's name, the beginning of one followed by `*`, or `*`.
    package init?(rawValue: String) {
        let stem = rawValue.hasSuffix("*") ? String(rawValue.dropLast()) : rawValue
        guard rawValue == "*" || ChannelName(rawValue: stem) != nil else { return nil }
        self.rawValue = rawValue
    }

    private init(known text: String) {
        self.rawValue = text
    }

    /// Whether every channel that matches another pattern matches this one.
    package func covers(_ other: Self) -> Bool {
        guard self.rawValue.utf8.last == UInt8(ascii: "*") else { return self == other }
        return other.rawValue.utf8.starts(with: self.rawValue.utf8.dropLast())
    }

    package func matches(_ channel: ChannelName) -> Bool {
        // Most patterns are `*`, and comparing such a short string is comparing a number.
        guard self.rawValue != "*" else { return true }
        guard self.rawValue.utf8.last == UInt8(ascii: "*") else { return self.rawValue == channel.rawValue }
        return channel.rawValue.utf8.starts(with: self.rawValue.utf8.dropLast())
    }

    /// Where to look for the next matching channel, in the order of names.
    ///
    /// - Parameter place: The name after which to look; empty for the beginning.
    /// - Returns: A name, at least `place`, such that no match is between the two; empty for the beginning; `nil` when
    ///   there are no more.
    package func start(after place: String) -> String? {
        let isBeginning = self.rawValue.utf8.last == UInt8(ascii: "*")
        let stem = isBeginning ? String(self.rawValue.dropLast()) : self.rawValue
        guard place < stem else { return isBeginning && place.hasPrefix(stem) ? place : nil }
        return max(place, Self.lastName(before: stem))
    }

    /// The characters of names, in their order.
    private static let letters = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

    /// The greatest name that sorts before another one; empty when there is none.
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
