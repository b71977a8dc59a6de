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

    /// Whether nothing was said of who may do what, so that everyone on this machine may do everything.
    let isOpen: Bool

    /// Whose word about sources is taken.
    let proxies: TrustedProxies

    /// Pages of other origins that may do what the server's own may.
    let origins: AllowedOrigins

    /// Whose pages may show the server's own in a frame.
    let ancestors: FrameAncestors

    /// What its operator may not have meant; nil when there is nothing to say.
    let warning: String?

    init(_ reader: inout SettingsReader, listeningOn address: Address) {
        let path = reader.text("access")
        let all = Set(Scope.allCases)
        self.isOpen = path == nil && !reader.has("allowAnonymous")
        let standard = path == nil ? all : []
        self.anonymous = reader.read(
            "allowAnonymous",
            standard,
            as: Scope.allCases.filter(standard.contains).map(\.rawValue).joined(separator: ","),
            "publish, subscribe, respond, manage, with commas"
        ) { text in
            let list = text.split(separator: ",").map { Scope(rawValue: $0.trimmingCharacters(in: .whitespaces)) }
            return list.contains(nil) ? nil : Set(list.compactMap(\.self))
        }
        if self.isOpen, !address.isLoopback {
            reader.refuse(
                "listen",
                "an address of this machine only, because anyone could do anything at \(address); name an --access "
                    + "file (toastd key create makes one), or say what anyone may do with --allow-anonymous"
            )
        }
        let blocks: [AddressBlock] = reader.read(
            "trustedProxies",
            [],
            as: "",
            "addresses or blocks such as 10.0.0.0/8, with commas"
        ) { text in
            let list = text.split(separator: ",").map { AddressBlock($0.trimmingCharacters(in: .whitespaces)) }
            return list.contains(nil) ? nil : list.compactMap(\.self)
        }
        self.path = path
        self.proxies = TrustedProxies(blocks)
        // A proxy on this machine is this machine, and may let in the whole world.
        self.warning =
            blocks.isEmpty || !self.isOpen
            ? nil : "everybody whom the trusted proxies let through may do anything: name an --access file"
        self.origins = reader.read(
            "allowOrigin",
            AllowedOrigins(),
            as: "",
            "origins as https://app.example, with commas; * would open the server to every page that anybody in reach of "
                + "it looks at"
        ) { AllowedOrigins($0) }
        self.ancestors = reader.read(
            "frameAncestors",
            .none,
            as: "none",
            "none, or self and origins, with commas"
        ) { FrameAncestors($0) }
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
