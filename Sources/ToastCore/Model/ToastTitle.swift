/// The title of a toast.
public enum ToastTitle: Equatable, Sendable {
    /// The role's own title, in the viewer's language; the title of a toast without one.
    case automatic

    /// No title.
    case none

    /// A title of the publisher's.
    case custom(Text)

    /// The publisher's title, if there is one.
    public var text: Text? { if case .custom(let text) = self { text } else { nil } }
}

extension ToastTitle: JSONWritable {
    /// Writes the text, `null` for none, and for the role's own title what a publisher would send.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .automatic: writer.object { $0.member("automatic", true) }
        case .none: writer.null()
        case .custom(let text): text.write(to: &writer)
        }
    }
}

extension Issues {
    /// A text, or the role's own title, which a toast can choose also where the channel's default is none.
    mutating func title(_ value: JSON) -> ToastTitle? {
        guard value.object?["automatic"] != true else { return .automatic }
        return self.text(value).map(ToastTitle.custom)
    }
}
