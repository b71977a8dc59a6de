/// What can be asked of a channel, apart from publishing: see ``Engine/enqueue(_:at:)``.
public enum Command: Sendable {
    /// Change a toast that is queued or on screen; if a revision is given, only when the toast has it.
    case update(ToastID, ToastPatch, ifRevision: Int?)

    /// Dismiss a toast for a reason; the first dismissal counts, later ones do nothing.
    ///
    /// A person can dismiss only what is on screen.
    case dismiss(ToastID, DismissReason)

    /// Press an action of a toast on screen, and dismiss the toast unless the action says otherwise.
    ///
    /// An action that dismisses, and one whose work is still going on, can be pressed only once. An action that does
    /// not dismiss can be pressed again.
    case act(ToastID, action: String)

    /// Dismiss all toasts, queued and on screen.
    case clear

    /// Dismiss all toasts that match, queued and on screen.
    case dismissAll(ToastFilter)

    /// Stop a toast's countdown for the whole audience, for at most ``Engine/maximumLease``; repeat it to hold longer.
    case hold(ToastID, holder: String, lease: Interval)

    /// End a hold; does nothing when the holder has none.
    case release(ToastID, holder: String)

    /// Replace the channel's own settings.
    case configure(Settings)

    /// Set the audience.
    case audience(Audience)
}
