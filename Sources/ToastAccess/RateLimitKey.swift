/// The origin of a request for counting: an IPv4 address, or the first 64 bits of an IPv6 address, because one
/// subscriber gets such a prefix (RFC 6177).
///
/// The IPv6 blocks that would equal IPv4 addresses here are reserved (RFC 4291 §2.4).
package struct Source: RawRepresentable, Hashable, Sendable {
    /// The 32 or 64 bits.
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The server itself.
    package static let thisMachine = Self(rawValue: 0)

    /// An unknown origin: all such requests are counted together.
    ///
    /// Its bits are of a reserved IPv6 block, `0:1::/64` (RFC 4291 §2.4).
    package static let unknown = Self(rawValue: 1 << 32)

    /// Whether it is this machine (RFC 1122 §3.2.1.3; `::1` of RFC 4291 §2.5.3 begins with 64 zero bits).
    package var isLocal: Bool { self.rawValue == 0 || self.rawValue >> 24 == 0x7F }
}

/// The key of rate limits: a program's principal whatever its address, or else the source of the request.
///
/// A number, because it is looked up for every request: that of a source, or a keyed hash of a program's name in the
/// range of multicast addresses (RFC 4291 §2.7), which no source has. One in 2⁵⁶ pairs of programs shares a bucket.
package struct RateLimitKey: Hashable, Sendable {
    /// The number; unique in a process, except for collisions of the hash.
    package let number: UInt64

    package init(_ source: Source) {
        self.number = source.rawValue
    }

    /// The key of a program, by the name of its principal.
    package init(program name: String) {
        // The hash has another key in every process, so names with colliding hashes cannot be chosen.
        self.number = 0xFF << 56 | UInt64(truncatingIfNeeded: UInt(bitPattern: name.hashValue)) >> 8
    }
}
