extension HeaderFields {
    /// Whether the request is for a name that the public DNS may have: one with a dot that is no address.
    ///
    /// A host whose last label is a number is an IPv4 address for a browser, or nothing (URL Standard, "ends in a number").
    /// Names below `localhost` stay on their machine (RFC 6761 §6.3).
    public var hasPublicHost: Bool {
        guard let host = self.raw("host"), host.first != UInt8(ascii: "[") else { return false }
        let name = host.prefix { $0 != UInt8(ascii: ":") }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let label = name[(dot + 1)...]
        if label.count == Self.ownName.utf8.count, Self.ownName.isSpelled(by: label) { return false }
        return label.isEmpty || !label.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static let ownName = "localhost"
}
