package import InternetAddresses
import MicroHTTP
import ToastAccess

/// The proxies that may say where a request comes from.
///
/// Any client can write a `Forwarded` field, so it counts only when a trusted proxy sent it. It is read from its end;
/// the first address that is not a trusted proxy's is the client's.
package struct TrustedProxies: Hashable, Sendable {
    package let blocks: [AddressBlock]

    /// Proxies in these blocks; without any, no `Forwarded` field counts.
    package init(_ blocks: [AddressBlock] = []) {
        self.blocks = blocks
    }

    /// Where a request comes from; `nil` when a trusted proxy's fields have no valid address.
    func source(of request: Request) -> IPAddress? {
        guard var address = request.peer, !self.blocks.isEmpty else { return request.peer }
        for hop in Self.hops(of: request).reversed() {
            guard self.trusts(address) else { return address }
            // Not the proxy's address: the proxy may be on this machine, whose own requests may do more.
            guard let next = hop else { return nil }
            address = next
        }
        return address
    }

    /// Where a request comes from, or else its peer, so that every log line has an address.
    func nearest(to request: Request) -> IPAddress? {
        self.source(of: request) ?? request.peer
    }

    /// Whether the proxy says that its client speaks TLS.
    func isSecure(_ request: Request) -> Bool {
        guard let peer = request.peer, self.trusts(peer) else { return false }
        if request.headers["x-forwarded-proto"]?.lowercased() == "https" { return true }
        return request.headers.list("forwarded").last?.parameter("proto")?.lowercased() == "https"
    }

    private func trusts(_ address: IPAddress) -> Bool {
        self.blocks.contains { $0.contains(address) }
    }

    /// The addresses that proxies added, the client's first; an element that is no address is nil.
    ///
    /// They are in RFC 7239's `Forwarded`, or in the older `X-Forwarded-For`. If both are there and differ, the proxy
    /// wrote only one of them and passed the other on as its client wrote it; so neither counts.
    private static func hops(of request: Request) -> [IPAddress?] {
        let forwarded = request.headers.list("forwarded").map { $0.parameter("for").flatMap(self.address) }
        let older = request.headers.list("x-forwarded-for").map(self.address)
        guard !forwarded.isEmpty, !older.isEmpty else { return forwarded + older }
        return forwarded == older ? forwarded : [nil]
    }

    /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.
    private static func address(_ text: String) -> IPAddress? {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return IPAddress(String(text[text.index(after: text.startIndex)..<end]))
        }
        let hasPort = text.count { $0 == ":" } == 1
        return IPAddress(hasPort ? String(text.prefix { $0 != ":" }) : text)
    }
}

extension IPAddress {
    /// The source that rates and quotas count: an IPv4 address, or the first 64 bits of an IPv6 address.
    var source: Source { Source(rawValue: self.v4.map(UInt64.init) ?? UInt64(truncatingIfNeeded: self.bits >> 64)) }
}
