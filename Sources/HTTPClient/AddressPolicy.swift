package import InternetAddresses

/// Which addresses may be sent to: those of the public internet, and those that the configuration allows.
///
/// It decides about the address that a connection is about to be made to, not about the host name, so DNS rebinding (a
/// name that resolves to another address the second time) has no effect.
package struct AddressPolicy: Hashable, Sendable {
    /// What is allowed in addition to public addresses.
    package let exceptions: [AddressBlock]

    package init(allowing exceptions: [AddressBlock] = []) {
        self.exceptions = exceptions
    }

    /// Whether an address may be sent to.
    package func allows(_ address: IPAddress) -> Bool {
        Self.isPublic(address) || self.exceptions.contains { $0.contains(address) }
    }

    /// Whether an address belongs to the public internet: globally reachable by the registries of RFC 6890, and
    /// unicast.
    static func isPublic(_ address: IPAddress) -> Bool {
        if let v4 = address.v4 ?? Self.translated(address) {
            let mapped = IPAddress(v4: v4)
            return !Self.specialV4.contains { $0.contains(mapped) }
        }
        return Self.globalUnicast.contains(address) && !Self.specialV6.contains { $0.contains(address) }
    }

    /// The IPv4 address in an address of a translator (NAT64, RFC 6052), which decides whether it is public.
    private static func translated(_ address: IPAddress) -> UInt32? {
        address.bits >> 32 == 0x0064_FF9B << 64 ? UInt32(truncatingIfNeeded: address.bits) : nil
    }

    /// <https://www.iana.org/assignments/iana-ipv4-special-registry>, multicast and the reserved rest.
    private static let specialV4: [AddressBlock] = [
        .v4(0, 0, 0, 0, 8),  // this network
        .v4(10, 0, 0, 0, 8),  // private
        .v4(100, 64, 0, 0, 10),  // shared, for carrier-grade NAT
        .v4(127, 0, 0, 0, 8),  // loopback
        .v4(169, 254, 0, 0, 16),  // link-local, where clouds keep their metadata
        .v4(172, 16, 0, 0, 12),  // private
        .v4(192, 0, 0, 0, 24),  // protocol assignments
        .v4(192, 0, 2, 0, 24),  // documentation
        .v4(192, 88, 99, 0, 24),  // 6to4 relays, deprecated
        .v4(192, 168, 0, 0, 16),  // private
        .v4(198, 18, 0, 0, 15),  // benchmarks
        .v4(198, 51, 100, 0, 24),  // documentation
        .v4(203, 0, 113, 0, 24),  // documentation
        .v4(224, 0, 0, 0, 4),  // multicast
        .v4(240, 0, 0, 0, 4),  // reserved, broadcast
    ]

    /// All global unicast addresses; loopback, unique local, link-local and multicast are outside.
    private static let globalUnicast = AddressBlock(first: IPAddress(bits: 0x2000 << 112), length: 3)

    /// <https://www.iana.org/assignments/iana-ipv6-special-registry>, within ``globalUnicast``.
    private static let specialV6: [AddressBlock] = [
        AddressBlock(first: IPAddress(bits: 0x2001 << 112), length: 23),  // protocol assignments, Teredo among them
        AddressBlock(first: IPAddress(bits: 0x2001_0DB8 << 96), length: 32),  // documentation
        AddressBlock(first: IPAddress(bits: 0x2002 << 112), length: 16),  // 6to4, which hides an IPv4 address
        AddressBlock(first: IPAddress(bits: 0x3FFF << 112), length: 20),  // documentation
    ]
}

extension AddressBlock {
    fileprivate static func v4(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ length: Int) -> Self {
        Self(first: IPAddress(v4: a << 24 | b << 16 | c << 8 | d), length: 96 + length)
    }
}
