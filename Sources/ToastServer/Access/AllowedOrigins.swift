import ToastCore

/// Origins whose pages may use the API as the server's own pages do (the CORS protocol of the Fetch standard).
///
/// Each is named exactly. There is no `*`: with anonymous access the server would then be open to every page that
/// anyone in its network looks at.
package struct AllowedOrigins: Hashable, Sendable {
    private var origins: Set<String> = []

    /// None but the server's own.
    package init() {}

    /// Reads a list such as `https://app.example,http://localhost:5173`; `nil` when one of its words is no origin.
    package init?(_ text: String) {
        for word in text.split(separator: ",") {
            guard let origin = Self.origin(String(word.withoutBlanks)) else { return nil }
            self.origins.insert(origin)
        }
    }

    /// Whether only the server's own origin is allowed.
    package var isEmpty: Bool { self.origins.isEmpty }

    /// Whether an origin, as browsers write it, is allowed.
    func contains(_ origin: String) -> Bool {
        self.origins.contains(origin.lowercased())
    }

    private static let hostCharacters = ASCIISet("abcdefghijklmnopqrstuvwxyz0123456789.-_")
    private static let addressCharacters = ASCIISet("abcdefghijklmnopqrstuvwxyz0123456789.-_[:]")

    /// An origin as browsers write it (RFC 6454 §6.2): in lower case, without the scheme's own port.
    static func origin(_ text: String) -> String? {
        let text = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
        let authority = text.dropFirst(scheme.count)
        let isIPv6 = authority.hasPrefix("[")
        let bracket = isIPv6 ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : nil
        guard !isIPv6 || bracket != nil else { return nil }
        let end = bracket ?? authority.firstIndex(of: ":") ?? authority.endIndex
        let (host, rest) = (authority[..<end], authority[end...])
        guard !host.isEmpty, host.utf8.allSatisfy((isIPv6 ? Self.addressCharacters : Self.hostCharacters).contains)
        else { return nil }
        guard !rest.isEmpty else { return scheme + host }
        guard rest.hasPrefix(":"), let port = UInt16(digits: rest.dropFirst()), port > 0 else { return nil }
        return (scheme == "http://" ? 80 : 443) == port ? scheme + host : "\(scheme)\(host):\(port)"
    }
}
