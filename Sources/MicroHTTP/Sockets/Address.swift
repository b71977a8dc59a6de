/// Where a server listens: a numeric address or a name, and a port.
public struct Address: Hashable, Sendable, CustomStringConvertible {
    /// An IPv4 address, an IPv6 address without brackets, or a name.
    public let host: String

    /// The port; 0 lets the system pick one.
    public let port: UInt16

    /// An address.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT` or `[IPv6]:PORT`; nil when the text is neither.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        // `UInt16` would also read `+80`.
        guard digits.utf8.allSatisfy(\.isDigit), let port = UInt16(digits) else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    /// The address as in a URL.
    public var description: String {
        self.host.contains(":") ? "[\(self.host)]:\(self.port)" : "\(self.host):\(self.port)"
    }
}
