/// The place of an event in its channel: 1 for the first event, one more for each that follows.
///
/// 0 is before the first event. Offsets of a channel never repeat within an ``Epoch``.
public struct Offset: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number itself; never negative.
    public let rawValue: Int64

    /// The offset of a channel without events.
    public static let origin = Self(rawValue: 0)

    /// More than any channel reaches (285 years at a million events a second); a stored offset beyond it is corrupt.
    ///
    /// In a cursor it is a place that no channel has.
    package static let greatest = Self(rawValue: 1 << 53)

    /// An offset from its number.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The next offset.
    public var next: Self { Self(rawValue: self.rawValue + 1) }

    package var previous: Self { Self(rawValue: self.rawValue - 1) }

    /// Orders offsets as their events happened.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The identifier of a store's history: eight random lower-case letters and digits.
///
/// Offsets mean something only within their epoch. A new epoch begins when events may have been lost: an empty or
/// restored store, a power failure. A cursor of an old epoch whose event is gone gets a reset, not a silent gap.
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
    /// The generator is not passed on as `inout`: it has no storage, so generic code would write to an address that
    /// nobody owns, and threads that open stores at the same time would write to the same one.
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
