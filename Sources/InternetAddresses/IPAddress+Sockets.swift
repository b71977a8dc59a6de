public import Glibc

extension IPAddress {
    /// Reads an address as `inet_pton(3)` does: IPv4 in four decimal parts, IPv6 in any of its forms.
    public init?(_ text: String) {
        var (v4, v6) = (in_addr(), UInt128.zero)
        // C would take the text to end at its first NUL.
        if text.utf8.contains(0) {
            return nil
        } else if unsafe inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
        } else if unsafe inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(bits: UInt128(bigEndian: v6))
        } else {
            return nil
        }
    }

    /// The internet address in a socket address; nil when it is of another family.
    ///
    /// - Parameter address: Points to as many bytes as its family requires.
    @unsafe
    public init?(_ address: UnsafePointer<sockaddr>) {
        let raw = unsafe UnsafeRawPointer(address)
        switch unsafe CInt(address.pointee.sa_family) {
        case AF_INET:
            let v4 = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            self.init(v4: UInt32(bigEndian: v4.sin_addr.s_addr))
        case AF_INET6:
            // After family, port and flow information, RFC 3493 §3.3.
            let v6 = unsafe raw.loadUnaligned(fromByteOffset: 8, as: UInt128.self)
            self.init(bits: UInt128(bigEndian: v6))
        default:
            return nil
        }
    }
}
