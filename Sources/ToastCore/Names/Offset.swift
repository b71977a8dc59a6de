/// The place of an event in its channel: 1 for the first event, one more for each that follows.
///
/// 0 stands before the first event. Offsets of a channel never repeat within an ``Epoch``.
public struct Offset: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number itself; never negative.
    public let rawValue: Int64

    /// The place before the first event.
    public static let origin = Self(rawValue: 0)

    /// What no channel reaches, a million events a second or not; a stored offset past it was never written.
    static let greatest = Self(rawValue: 1 << 53)

    /// An offset from its number.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The place right behind this one.
    public var next: Self { Self(rawValue: self.rawValue + 1) }

    /// Orders offsets as their events happened.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The life of a store, named by eight random lower-case letters and digits.
///
/// Offsets mean something only within their epoch. A store that was created anew has another epoch, so that a
/// cursor of the old one is answered with a reset instead of a silent gap.
public struct Epoch: RawRepresentable, Hashable, Sendable {
    /// How many characters every epoch has.
    public static let length = 8

    /// The eight characters.
    public let rawValue: String

    /// Checks an epoch; `nil` unless it is eight lower-case letters and digits.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == Self.length, rawValue.isMade(of: Self.characters) else { return nil }
        self.rawValue = rawValue
    }

    /// Draws a new epoch from the system's random numbers.
    ///
    /// Their generator is not handed around: it is empty, so generic code would change it at an address that is nobody's, and
    /// stores that are made at once would meet there.
    public static func random() -> Self {
        let characters = (0..<Self.length).map { _ in Self.alphabet[Int.random(in: Self.alphabet.indices)] }
        return Self(drawn: String(decoding: characters, as: UTF8.self))
    }

    private init(drawn text: String) {
        self.rawValue = text
    }

    private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
    private static let characters = ASCIISet("0123456789abcdefghijklmnopqrstuvwxyz")
}
