import Configuration
import Foundation
import InternetAddresses
import MicroHTTP
import ToastAccess
import ToastServer

/// Who is let in: from the configuration.
///
/// Without an access file everyone may do everything, so the server then listens on this machine's own addresses only. With
/// one, whoever shows nothing may do nothing. `allowAnonymous` says otherwise for both.
struct AccessRules: Sendable {
    /// The file with keys; nil for none.
    let path: String?

    /// What those may do who show nothing.
    let anonymous: Set<Scope>

    /// Whose word about sources is taken.
    let proxies: TrustedProxies

    /// Pages of other origins that may do what the server's own may.
    let origins: AllowedOrigins

    /// Whose pages may show the server's own in a frame.
    let ancestors: FrameAncestors

    /// What its operator may not have meant; nil when there is nothing to say.
    let warning: String?

    init(_ config: ConfigReader, listeningOn address: Address) throws(SettingsError) {
        self.path = config.string(forKey: "access")
        let scopes = config.string(forKey: "allowAnonymous")
        if let scopes {
            let list = scopes.split(separator: ",").map { Scope(rawValue: $0.trimmingCharacters(in: .whitespaces)) }
            guard !list.contains(nil) else {
                throw SettingsError(key: "allowAnonymous", expected: "publish, subscribe, respond, manage, with commas")
            }
            self.anonymous = Set(list.compactMap(\.self))
        } else {
            self.anonymous = self.path == nil ? Set(Scope.allCases) : []
        }
        guard self.path != nil || scopes != nil || address.isLoopback else {
            throw SettingsError(
                key: "listen",
                expected: "an address of this machine only, because anyone could do anything at \(address); name an "
                    + "--access file (toastd key create makes one), or say what anyone may do with --allow-anonymous"
            )
        }
        let blocks = (config.string(forKey: "trustedProxies") ?? "").split(separator: ",")
            .map { AddressBlock($0.trimmingCharacters(in: .whitespaces)) }
        guard !blocks.contains(nil) else {
            throw SettingsError(key: "trustedProxies", expected: "addresses or blocks such as 10.0.0.0/8, with commas")
        }
        self.proxies = TrustedProxies(blocks.compactMap(\.self))
        // A proxy on this machine is this machine, and may let in the whole world.
        self.warning =
            blocks.isEmpty || self.path != nil || scopes != nil
            ? nil : "everybody whom the trusted proxies let through may do anything: name an --access file"
        guard let origins = AllowedOrigins(config.string(forKey: "allowOrigin") ?? "") else {
            throw SettingsError(
                key: "allowOrigin",
                expected: "origins as https://app.example, with commas; * would open the server to every page that "
                    + "anybody in reach of it looks at"
            )
        }
        self.origins = origins
        guard let ancestors = FrameAncestors(config.string(forKey: "frameAncestors") ?? "none") else {
            throw SettingsError(key: "frameAncestors", expected: "none, or self and origins, with commas")
        }
        self.ancestors = ancestors
    }
}

extension Address {
    /// Whether only this machine can reach the address.
    var isLoopback: Bool {
        guard let address = IPAddress(self.host) else { return self.host == "localhost" }
        return Self.loopback.contains { $0.contains(address) }
    }

    /// RFC 1122 §3.2.1.3, RFC 4291 §2.5.3.
    private static let loopback = ["127.0.0.0/8", "::1/128"].compactMap { AddressBlock($0) }
}
