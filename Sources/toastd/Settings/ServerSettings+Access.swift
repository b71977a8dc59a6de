import InternetAddresses
import MicroHTTP
import ToastServer

/// The rules for requests without a credential.
///
/// Without an access file every request is permitted, so the server then listens on loopback addresses only. With an
/// access file, requests without a credential are refused. `allowAnonymous` overrides both.
extension ServerSettings {
    /// Whether there is no access control, so that everyone on this machine may do everything.
    var isOpen: Bool { self.access == nil && !self.has(GeneralSettings.table.allowAnonymous) }

    /// A warning about a likely mistake; nil for none.
    ///
    /// A proxy on this machine may forward requests from everywhere.
    var accessWarning: String? {
        self.trustedProxies.blocks.isEmpty || !self.isOpen
            ? nil : "everybody whom the trusted proxies let through may do anything: name an --access file"
    }
}

extension Address {
    /// Whether only this machine can reach the address.
    var isLoopback: Bool {
        guard let address = IPAddress(self.host) else { return self.host == "localhost" }
        return Self.loopback.contains { $0.contains(address) }
    }

    /// The loopback addresses (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
    static let loopback = ["127.0.0.0/8", "::1/128"].compactMap { AddressBlock($0) }
}
