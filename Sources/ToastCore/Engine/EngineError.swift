/// Why the engine did not do what it was asked.
public enum EngineError: Error, Equatable, Sendable {
    /// As many toasts wait as may: try again when some have been shown.
    case queueFull(capacity: Int)

    /// This toast is in the way, on screen or waiting: try again when it is gone.
    case toastAlreadyPresented(ToastID)

    /// The channel has no such toast, or forgot it: nothing to do.
    case toastNotFound

    /// The toast has no such action: fix the request.
    case actionNotFound

    /// The toast is gone, and was not dismissed by what was asked: nothing to do.
    case toastDismissed

    /// The toast still waits: try again when it is on screen.
    case toastNotPresented

    /// The toast has another revision than the caller thinks: read it again and decide anew.
    case revisionMismatch(current: Int)

    /// The result would not be valid: fix the request.
    case invalid(ValidationError)
}
