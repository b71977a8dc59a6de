/// An address of the internet, of either family.
///
/// An IPv4 address is kept as the IPv6 address that it is mapped to (RFC 4291 §2.5.5.2), so that both spellings of it
/// are the same address to every rule.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The 128 bits, the first of them the most significant.
    public var bits: UInt128 { UInt128(self.high) << 64 | UInt128(self.low) }

    // In two halves: for an object that holds a number of 16 bytes, Swift asks the C library by `posix_memalign`, and a
    // request makes five that hold an address.
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

    /// Reads an address as `inet_pton(3)` does: IPv4 in four decimal parts, IPv6 in any of its forms.
    public init?(_ text: String) {
        // C would take the text to end at its first NUL.
        guard !text.utf8.contains(0), let address = SystemCalls.address(text) else { return nil }
        self = address
    }

    /// The IPv4 address; `nil` when it is none.
    public var v4: UInt32? { self.bits >> 32 == 0xFFFF ? UInt32(truncatingIfNeeded: self.bits) : nil }

    /// What one subscriber has: an IPv4 address itself, or the first 64 bits of an IPv6 address (RFC 6177).
    public var network: Self { self.v4 == nil ? Self(bits: (self.bits >> 64) << 64) : self }

    /// The address as people write it.
    public var description: String {
        if let v4 = self.v4 { return Self.text(v4) }
        return (0..<8).map { String(UInt16(truncatingIfNeeded: self.bits >> (112 - 16 * $0)), radix: 16) }
            .joined(separator: ":")
    }

    private static func text(_ v4: UInt32) -> String {
        // At most 15 bytes, which a text keeps within itself.
        var text: [UInt8] = []
        text.reserveCapacity(15)
        for place in 0..<4 {
            let part = UInt8(truncatingIfNeeded: v4 >> UInt32(24 - 8 * place))
            if place > 0 { text.append(UInt8(ascii: ".")) }
            if part >= 100 { text.append(UInt8(ascii: "0") + part / 100) }
            if part >= 10 { text.append(UInt8(ascii: "0") + part / 10 % 10) }
            text.append(UInt8(ascii: "0") + part % 10)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
