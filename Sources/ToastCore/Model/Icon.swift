extension Issues {
    private static let symbolCharacters = ASCIISet("abcdefghijklmnopqrstuvwxyz0123456789.-")

    /// An icon: see ``ToastDetails/icon``.
    mutating func icon(_ value: JSON) -> String? {
        guard let text = self.text(value, limit: self.limits.urlLength) else { return nil }
        guard text != "none" else { return text }
        if let link = Link(rawValue: text), link.isSecure || link.isPath { return self.link(link)?.rawValue }
        guard text.utf8.count <= 64, text.isMade(of: Self.symbolCharacters) else {
            return self.refuse(
                #"An icon's name, an https URL, a path that begins with one slash, or "none" is expected."#
            )
        }
        return text
    }
}
