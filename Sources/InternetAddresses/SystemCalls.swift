public import Glibc

/// Addresses as the system knows them.
enum SystemCalls {
    /// Reads an address in text form.
    static func address(_ text: String) -> IPAddress? {
        var v4 = in_addr()
        if unsafe inet_pton(AF_INET, text, &v4) == 1 { return IPAddress(v4: UInt32(bigEndian: v4.s_addr)) }
        var v6 = UInt128.zero
        return unsafe inet_pton(AF_INET6, text, &v6) == 1 ? IPAddress(bits: UInt128(bigEndian: v6)) : nil
    }

    /// The internet address in an address of sockets, which is as long as its family says; `nil` when that is another.
    static func address(_ address: UnsafePointer<sockaddr>) -> IPAddress? {
        let raw = unsafe UnsafeRawPointer(address)
        switch unsafe CInt(address.pointee.sa_family) {
        case AF_INET:
            let v4 = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            return IPAddress(v4: UInt32(bigEndian: v4.sin_addr.s_addr))
        case AF_INET6:
            // Behind family, port and flow information, RFC 3493 §3.3.
            let v6 = unsafe raw.loadUnaligned(fromByteOffset: 8, as: UInt128.self)
            return IPAddress(bits: UInt128(bigEndian: v6))
        default:
            return nil
        }
    }
}

extension IPAddress {
    /// The internet address in an address of sockets; `nil` when it is of another family.
    ///
    /// - Parameter address: As long as its family says.
    @unsafe
    public init?(_ address: UnsafePointer<sockaddr>) {
        guard let address = unsafe SystemCalls.address(address) else { return nil }
        self = address
    }
}
