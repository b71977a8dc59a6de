/// Why the engine refused a command.
public enum EngineError: Error, Equatable, Sendable {
    /// The queue is full: try again when some toasts have been shown.
    case queueFull(capacity: Int)

    /// The batch has more new toasts than even an empty queue can hold: send fewer at a time.
    case batchTooLong(capacity: Int)

    /// This toast is on screen or queued: try again when it is dismissed.
    case toastAlreadyPresented(ToastID)

    /// The channel has no such toast, or no longer: nothing to do.
    case toastNotFound

    /// The toast has no such action: fix the request.
    case actionNotFound

    /// The toast is dismissed already: nothing to do.
    case toastDismissed

    /// The toast is still queued: try again when it is on screen.
    case toastNotPresented

    /// The toast has another revision than the caller expects: read it again and decide anew.
    case revisionMismatch(current: Int)

    /// The result would not be valid: fix the request.
    case invalid(ValidationError)
}
