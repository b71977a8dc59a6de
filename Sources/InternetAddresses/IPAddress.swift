/// An address of the internet, of either family.
///
/// An IPv4 address is kept as an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2), so that every rule treats both spellings
/// alike.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The 128 bits, the first of them the most significant.
    public var bits: UInt128 { UInt128(self.high) << 64 | UInt128(self.low) }

    // In two halves: Swift allocates an object that contains a UInt128 with `posix_memalign`, which is slower than
    // `malloc`, and a request makes five objects that contain an address.
    private let high: UInt64
    private let low: UInt64

    private static let mappedPrefix: UInt128 = 0xFFFF << 32

    /// An address of 128 bits.
    public init(bits: UInt128) {
        self.high = UInt64(truncatingIfNeeded: bits >> 64)
        self.low = UInt64(truncatingIfNeeded: bits)
    }

    /// An IPv4 address.
    public init(v4: UInt32) {
        self.init(bits: Self.mappedPrefix | UInt128(v4))
    }

    /// The IPv4 address; nil for an IPv6 address.
    public var v4: UInt32? { self.bits >> 32 == 0xFFFF ? UInt32(truncatingIfNeeded: self.bits) : nil }

    /// The prefix of one site: all of an IPv4 address, or the first 64 bits of an IPv6 address (RFC 6177).
    public var network: Self { self.v4 == nil ? Self(bits: (self.bits >> 64) << 64) : self }

    /// The address as people write it: an IPv6 address in the one form of RFC 5952 §4.
    public var description: String {
        // A String of at most 15 bytes takes no allocation.
        if let v4 = self.v4 { return "\(v4 >> 24).\(v4 >> 16 & 0xFF).\(v4 >> 8 & 0xFF).\(v4 & 0xFF)" }
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: self.bits >> (112 - 16 * $0)) }
        let zeros = Self.longestZeros(in: groups)
        // §4.2.2: "The symbol "::" MUST NOT be used to shorten just one 16-bit 0 field."
        guard zeros.count > 1 else { return Self.text(groups[...]) }
        return "\(Self.text(groups[..<zeros.lowerBound]))::\(Self.text(groups[zeros.upperBound...]))"
    }

    /// Where the longest run of zeros is, of several the first (RFC 5952 §4.2.3).
    private static func longestZeros(in groups: [UInt16]) -> Range<Int> {
        var (run, longest) = (0..<0, 0..<0)
        for index in groups.indices {
            run = groups[index] == 0 ? run.lowerBound..<(index + 1) : (index + 1)..<(index + 1)
            if run.count > longest.count { longest = run }
        }
        return longest
    }

    private static func text(_ groups: ArraySlice<UInt16>) -> String {
        groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
}
