import InternetAddresses

/// Where a webhook listens: an absolute http or https URL in ASCII, without user information and fragment.
///
/// User information would be a password that every reader of the settings sees; a fragment is never sent.
public struct WebhookURL: RawRepresentable, Hashable, Sendable, JSONWritable {
    /// The longest URL, in bytes.
    public static let maximumLength = 2048

    /// The URL as it was sent.
    public let rawValue: String

    /// Scheme, host and port: what is safe to log, because paths and queries may contain tokens.
    public let origin: String

    /// The host without the port; the deliveries in progress to one host are limited.
    public let host: String

    /// Checks a URL; `nil` when it is none that can be posted to.
    public init?(rawValue: String) {
        guard rawValue.utf8.count <= Self.maximumLength,
            let scheme = ["https://", "http://"].first(where: rawValue.hasPrefix)
        else { return nil }
        let rest = rawValue.utf8.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { !"/?".utf8.contains($0) }
        let path = rest.dropFirst(authority.count)
        guard Self.isAuthority(authority), path.allSatisfy(Self.isAllowed) else { return nil }
        self.rawValue = rawValue
        let place = String(decoding: authority, as: UTF8.self).lowercased()
        self.origin = scheme + place
        let isPort = place.utf8.reversed().prefix { $0 != UInt8(ascii: ":") }.allSatisfy(\.isDigit)
        let end = isPort ? place.lastIndex(of: ":") : nil
        self.host = String(place[..<(end ?? place.endIndex)])
    }

    /// Whether the host can be one: an IPv6 address in brackets, or labels between dots.
    ///
    /// Checked apart from ``init(rawValue:)``, because earlier versions have stored URLs with other hosts.
    var hasValidHost: Bool {
        guard self.host.first == "[" else {
            // One dot may be at the end, RFC 1034 §3.1.
            let labels = self.host.split(separator: ".", omittingEmptySubsequences: false)
            return labels.first?.isEmpty == false && labels.dropLast().allSatisfy { !$0.isEmpty }
        }
        return self.host.contains(":") && IPAddress(String(self.host.dropFirst().dropLast())) != nil
    }

    /// RFC 3986 §3.2 without user information: a host, and perhaps a port from 1 to 65535.
    private static func isAuthority(_ authority: Substring.UTF8View) -> Bool {
        var authority = authority
        if authority.first == UInt8(ascii: "[") {
            let address = authority.dropFirst().prefix { $0.hexadecimalValue != nil || ":.".utf8.contains($0) }
            authority = authority.dropFirst(1 + address.count)
            guard !address.isEmpty, authority.popFirst() == UInt8(ascii: "]") else { return false }
        } else {
            let host = authority.prefix { $0.isLetter || $0.isDigit || "-._".utf8.contains($0) }
            guard !host.isEmpty else { return false }
            authority = authority.dropFirst(host.count)
        }
        guard let colon = authority.popFirst() else { return true }
        guard colon == UInt8(ascii: ":"), (1...5).contains(authority.count), authority.first != UInt8(ascii: "0"),
            authority.allSatisfy(\.isDigit)
        else { return false }
        return authority.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65_535
    }

    /// RFC 3986 §3.3 and §3.4: what may stand in a path or a query.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-._~!$&'()*+,;=:@%/?".utf8.contains(byte)
    }
}
