/// Addresses that begin with the same bits: `10.0.0.0/8`, `fc00::/7`, or one address alone.
public struct AddressBlock: Hashable, Sendable, CustomStringConvertible {
    /// The first address of the block.
    public let first: IPAddress

    /// How many leading bits, of 128, all addresses of the block share; for IPv4 at least 96.
    public let length: Int

    /// The addresses that share the first `length` bits with `first`, whose other bits must be zero.
    public init(first: IPAddress, length: Int) {
        self.first = first
        self.length = length
    }

    /// Reads a block; nil when it is invalid, or has bits set past its length, which is a typing error.
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

    /// Whether an address is in the block.
    public func contains(_ address: IPAddress) -> Bool { address.bits & self.mask == self.first.bits & self.mask }

    /// The block in the form that ``init(_:)`` reads.
    public var description: String { "\(self.first)/\(self.first.v4 == nil ? self.length : self.length - 96)" }

    /// The first `length` bits are ones; with length 0 the shift by 128 bits leaves none.
    private var mask: UInt128 { UInt128.max << UInt128(128 - self.length) }
}
