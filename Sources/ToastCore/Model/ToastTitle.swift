/// The title of a toast.
public enum ToastTitle: Hashable, Sendable {
    /// The role's own title, in the viewer's language; what a toast has that names none.
    case automatic

    /// No title.
    case none

    /// A title of the publisher's.
    case custom(Text)

    /// The publisher's title, if there is one.
    public var text: Text? {
        guard case .custom(let text) = self else { return nil }
        return text
    }
}
