import InternetAddresses
import MicroHTTP
import ToastServer

/// Who is let in.
///
/// Without an access file everyone may do everything, so the server then listens on this machine's own addresses only.
/// With one, whoever shows nothing may do nothing. `allowAnonymous` says otherwise for both.
extension ServerSettings {
    /// Whether nothing says who may do what, so that everyone on this machine may do everything.
    var isOpen: Bool { self.access == nil && !self.has(GeneralSettings.table.allowAnonymous) }

    /// What its operator may not have meant; nil when there is nothing to say.
    ///
    /// A proxy on this machine is this machine, and may let in the whole world.
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

    /// This machine's own addresses (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
    static let loopback = ["127.0.0.0/8", "::1/128"].compactMap { AddressBlock($0) }
}
