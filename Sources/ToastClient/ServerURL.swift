import Foundation

/// The URL of a server: http or https, perhaps with a path before `/v1`.
package struct ServerURL: Hashable, Sendable, CustomStringConvertible {
    /// The URL, without a slash at its end.
    package let description: String

    /// Reads a URL, or `HOST:PORT`, which means http.
    ///
    /// Nil when the text is neither, or has user information, a query or a fragment.
    package init?(_ text: String) {
        var text = text
        if !text.contains("://") { text = "http://" + text }
        while text.hasSuffix("/") { text.removeLast() }
        let lower = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix), text.count > scheme.count,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains(where: { "?#\\\"<>".contains($0) })
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        guard rest.first != "/", rest.first != ":", !rest.prefix(while: { $0 != "/" }).contains("@") else { return nil }
        self.description = text
    }

    /// Whether it is this machine, which is reached without a proxy.
    var isLocal: Bool {
        let host = self.description.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        // `127.example.org` is a name.
        let isLoopback = name.hasPrefix("127.") && name.allSatisfy { "0123456789.".contains($0) }
        return isLoopback || ["localhost", "[::1]"].contains(name.lowercased())
    }
}

extension String {
    /// The text, escaped for a query or a path segment (RFC 3986 §2.3).
    package var percentEncoded: String { self.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "" }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
