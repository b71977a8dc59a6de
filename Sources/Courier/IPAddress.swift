/// An address of the internet, of either family.
///
/// An IPv4 address is kept as the IPv6 address that it is mapped to (RFC 4291 §2.5.5.2), so that both spellings of it
/// are the same address to every rule.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    let bits: UInt128

    static let mappedPrefix: UInt128 = 0xFFFF << 32

    init(bits: UInt128) {
        self.bits = bits
    }

    init(v4: UInt32) {
        self.bits = Self.mappedPrefix | UInt128(v4)
    }

    /// Reads an address as `inet_pton(3)` does: IPv4 in four decimal parts, IPv6 in any of its forms.
    public init?(_ text: String) {
        guard let address = SystemCalls.address(text) else { return nil }
        self = address
    }

    /// The IPv4 address; `nil` when it is none.
    var v4: UInt32? { self.bits >> 32 == 0xFFFF ? UInt32(truncatingIfNeeded: self.bits) : nil }

    /// The address as people write it.
    public var description: String {
        if let v4 = self.v4 { return (0..<4).map { String(v4 >> (24 - 8 * $0) & 0xFF) }.joined(separator: ".") }
        return (0..<8).map { String(UInt16(truncatingIfNeeded: self.bits >> (112 - 16 * $0)), radix: 16) }
            .joined(separator: ":")
    }
}

/// Addresses that begin with the same bits: `10.0.0.0/8`, `fc00::/7`, or one address alone.
public struct AddressBlock: Hashable, Sendable, CustomStringConvertible {
    let first: IPAddress
    /// How many of the 128 bits count.
    let length: Int

    init(first: IPAddress, length: Int) {
        self.first = first
        self.length = length
    }

    /// Reads a block; `nil` when it is none, or when bits are set that do not count, which is a slip of the pen.
    public init?(_ text: String) {
        let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = IPAddress(String(halves[0])) else { return nil }
        let isV4 = !halves[0].contains(":")
        var length = 128
        if halves.count == 2 {
            let lengths = 0...(isV4 ? 32 : 128)
            guard let number = Int(halves[1]), String(number) == halves[1], lengths.contains(number) else { return nil }
            length = isV4 ? 96 + number : number
        }
        self.init(first: first, length: length)
        guard first.bits & ~self.mask == 0 else { return nil }
    }

    /// Whether an address is one of the block.
    public func contains(_ address: IPAddress) -> Bool { address.bits & self.mask == self.first.bits & self.mask }

    /// The block in the form that ``init(_:)`` reads.
    public var description: String { "\(self.first)/\(self.first.v4 == nil ? self.length : self.length - 96)" }

    /// Ones where bits count; a shift by all 128 bits gives none.
    private var mask: UInt128 { UInt128.max << UInt128(128 - self.length) }
}
