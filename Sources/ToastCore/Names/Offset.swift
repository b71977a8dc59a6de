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
        guard rawValue.utf8.count == Self.length, rawValue.utf8.allSatisfy(Self.alphabet.contains) else { return nil }
        self.rawValue = rawValue
    }

    /// Draws a new epoch.
    public init(using generator: inout some RandomNumberGenerator) {
        var characters: [UInt8] = []
        for _ in 0..<Self.length {
            characters.append(Self.alphabet[Int.random(in: Self.alphabet.indices, using: &generator)])
        }
        self.rawValue = String(decoding: characters, as: UTF8.self)
    }

    private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
}
