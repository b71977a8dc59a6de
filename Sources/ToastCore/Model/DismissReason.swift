/// Why a toast was dismissed.
public enum DismissReason: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// Its time on screen was over.
    case timeout
    /// Its progress was complete, and its time after that was over.
    case completed
    /// A program asked for it.
    case api
    /// Its channel was cleared.
    case cleared
    /// A newer toast took its place.
    case replaced
    /// It waited longer than its `expiresAfter`.
    case expired
    /// A person pressed one of its actions.
    case action
    /// A person swiped it away.
    case swipe
    /// A person pressed its close button.
    case close
    /// A person tapped it.
    case tap
    /// A person pressed Escape or made the gesture that means the same.
    case escape
    /// A person pressed another key.
    case key

    /// Whether viewers dismiss toasts for this reason; the others are for actions, programs and the engine.
    public var isPersonal: Bool {
        switch self {
        case .swipe, .close, .tap, .escape, .key: true
        case .timeout, .completed, .api, .cleared, .replaced, .expired, .action: false
        }
    }
}
