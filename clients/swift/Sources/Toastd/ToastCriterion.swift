/// A condition that selects the toasts to dismiss.
///
/// An empty text is refused by the server.
public enum ToastCriterion: Sendable, Hashable {
    /// Toasts with this reuse identifier.
    case reuseIdentifier(String)
    /// Toasts with this title from their publisher, as clients read it.
    case title(String)
    /// Toasts with this message, as clients read it.
    case message(String)
    /// Toasts at this placement: `top`, `center` or `bottom`.
    case placement(String)

    /// The parameter of the query.
    var parameter: (name: String, value: String) {
        switch self {
        case .reuseIdentifier(let value): ("reuseIdentifier", value)
        case .title(let value): ("title", value)
        case .message(let value): ("message", value)
        case .placement(let value): ("placement", value)
        }
    }
}
