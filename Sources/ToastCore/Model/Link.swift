/// A URL that a viewer may follow or load: http(s), or a path of the viewer's own origin.
///
/// Everything else, above all `javascript:` and `data:`, is refused at publish.
public struct Link: RawRepresentable, Hashable, Sendable, JSONWritable {
    /// The URL as it was sent.
    public let rawValue: String

    /// Checks a URL; `nil` unless it is safe to put into a page.
    public init?(rawValue: String) {
        // WHATWG URL: browsers drop tabs and newlines and read `\` as `/`, so "/\host" would leave the origin.
        guard rawValue.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        let isPath = rawValue.hasPrefix("/") && !rawValue.hasPrefix("//")
        guard isPath || Self.hasHost(rawValue, after: "https://") || Self.hasHost(rawValue, after: "http://") else {
            return nil
        }
        self.rawValue = rawValue
    }

    /// Whether the URL is absolute and encrypted, as an icon's must be unless it is a path.
    public var isSecure: Bool { Self.hasHost(self.rawValue, after: "https://") }

    /// Whether it is a path of the viewer's own origin.
    public var isPath: Bool { self.rawValue.hasPrefix("/") }

    /// Whether a name or a password precedes the host, as in `https://example.com@evil.example/`: people mistake the
    /// name for the host, and a password must not be shown.
    package var hasUserInformation: Bool {
        guard let colon = self.rawValue.utf8.firstIndex(of: UInt8(ascii: ":")), !self.isPath else { return false }
        let authority = self.rawValue.utf8[colon...].dropFirst("://".utf8.count).prefix { !"/?#".utf8.contains($0) }
        return authority.contains(UInt8(ascii: "@"))
    }

    private static func hasHost(_ text: String, after scheme: String) -> Bool {
        guard text.utf8.count > scheme.utf8.count else { return false }
        let start = text.utf8.prefix(scheme.utf8.count)
        guard start.elementsEqual(scheme.utf8, by: { $0 | 0x20 == $1 | 0x20 }) else { return false }
        let host = text.utf8.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
        return !host.isEmpty && host.first != UInt8(ascii: ":")
    }
}

extension Issues {
    mutating func link(_ value: JSON) -> Link? {
        guard let text = self.text(value, limit: self.limits.urlLength) else { return nil }
        guard let link = Link(rawValue: text) else {
            return self.refuse("An http or https URL, or a path that begins with one slash, is expected.")
        }
        return self.link(link)
    }

    /// Refuses a URL with user information, because people see it; stored URLs are not checked again.
    mutating func link(_ link: Link) -> Link? {
        guard self.limits.isRecord || !link.hasUserInformation else {
            return self.refuse("A URL without a user's name and password is expected.")
        }
        return link
    }
}
