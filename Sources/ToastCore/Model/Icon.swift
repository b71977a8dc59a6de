/// The picture beside a toast's text, in place of the role's own.
public enum Icon: Hashable, Sendable {
    /// No picture at all.
    case none

    /// A picture of the viewer's icon set, by name: an SF Symbol such as `wifi.slash`, or one of its own. A viewer
    /// without a picture of this name shows the role's.
    case symbol(String)

    /// A picture at an https URL, or at a path of the viewer's own origin.
    case link(Link)

    /// What the name of a symbol is made of.
    static let symbolCharacters = ASCIISet("abcdefghijklmnopqrstuvwxyz0123456789.-")
}

extension Icon: JSONWritable {
    /// Writes the name, the URL, or `"none"`.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .none: writer.string("none")
        case .symbol(let name): writer.string(name)
        case .link(let link): link.write(to: &writer)
        }
    }
}

extension Issues {
    mutating func icon(_ value: JSON) -> Icon? {
        guard let text = self.text(value, limit: self.limits.urlLength) else { return nil }
        guard text != "none" else { return Icon.none }
        if let link = Link(rawValue: text), link.isSecure || link.isPath { return self.link(link).map(Icon.link) }
        guard text.utf8.count <= 64, text.isMade(of: Icon.symbolCharacters) else {
            return self.refuse(
                #"An icon's name, an https URL, a path that begins with one slash, or "none" is expected."#
            )
        }
        return .symbol(text)
    }
}
