/// Where a request comes from, as far as it is counted: an IPv4 address, or the first 64 bits of an IPv6 address, which is what
/// one subscriber gets (RFC 6177).
///
/// The blocks of IPv6 that would look like IPv4 addresses here are reserved (RFC 4291 §2.4).
public struct Source: RawRepresentable, Hashable, Sendable {
    /// The 32 or 64 bits.
    public let rawValue: UInt64

    /// A source of these bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// This machine, as the server itself is.
    public static let thisMachine = Self(rawValue: 0)

    /// Somewhere that nobody knows: all such requests count together, as those of one stranger.
    ///
    /// Its bits are those of a reserved block of IPv6, `0:1::/64` (RFC 4291 §2.4).
    public static let unknown = Self(rawValue: 1 << 32)

    /// Whether it is the same machine (RFC 1122 §3.2.1.3; `::1` of RFC 4291 §2.5.3 has 64 zeros in front).
    public var isLocal: Bool { self.rawValue == 0 || self.rawValue >> 24 == 0x7F }
}

/// Whom something is counted for: a program as itself, wherever it is, everybody else as the place that they come from.
///
/// A number, because it is looked up for every request: a source's own, or a keyed hash of a program's name, above all
/// addresses that are routed (multicast, RFC 4291 §2.7). Of two programs one in 2⁵⁶ pairs shares a bucket.
public struct RateLimitKey: Hashable, Sendable {
    /// The number; no two parties of one process have the same, as far as one can tell.
    public let number: UInt64

    /// A place.
    public init(_ source: Source) {
        self.number = source.rawValue
    }

    /// A key or a token, by the name of its principal.
    public init(program name: String) {
        // The hash has another key in every process, so nobody can choose names that meet.
        self.number = 0xFF << 56 | UInt64(truncatingIfNeeded: UInt(bitPattern: name.hashValue)) >> 8
    }
}

/// Someone who asks for something: who they are, where they are, and whom it is counted for.
public struct Caller: Sendable {
    /// Who, and what they may do.
    public let principal: Principal

    /// Where.
    public let source: Source

    /// Whom what they do is counted for.
    public let party: RateLimitKey

    /// A visitor.
    ///
    /// - Parameters:
    ///   - principal: Who it is.
    ///   - source: Where they are.
    ///   - isProgram: Whether they show a key or a token themselves. A session or a ticket has its maker's name, but is in
    ///     the hands of one of many people.
    public init(_ principal: Principal, from source: Source, isProgram: Bool) {
        self.principal = principal
        self.source = source
        self.party = isProgram ? RateLimitKey(program: principal.name) : RateLimitKey(source)
    }

    /// Nobody in particular, as tests and the server itself are.
    public static let nobody = Self(.anonymous([]), from: .thisMachine, isProgram: false)
}
