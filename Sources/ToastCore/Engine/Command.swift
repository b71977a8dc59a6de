/// What can be asked of a channel.
public enum Command: Sendable {
    /// A toast to be enqueued.
    public struct NewToast: Hashable, Sendable {
        /// The name that it will have.
        public let id: ToastID

        /// What its publisher sent.
        public let draft: ToastDraft

        /// A toast to be enqueued.
        public init(id: ToastID, draft: ToastDraft) {
            self.id = id
            self.draft = draft
        }
    }

    /// Enqueue toasts in order, all or none; a toast whose name is known already is there already.
    case enqueue([NewToast])

    /// Change a toast that waits or is on screen; if a revision is named, only when the toast has it.
    case update(ToastID, ToastPatch, ifRevision: Int?)

    /// Dismiss a toast for a reason; the first dismissal counts, further ones do nothing.
    ///
    /// A person dismisses only what is on screen.
    case dismiss(ToastID, DismissReason)

    /// Press an action of a toast on screen, and dismiss the toast unless the action says otherwise.
    ///
    /// Of an action that dismisses the first press counts, and of one that waits until its work is done, too; of one that
    /// does not dismiss every press does.
    case act(ToastID, action: String)

    /// Dismiss all toasts, those on screen and those that wait.
    case clear

    /// Dismiss all toasts that are meant, those on screen and those that wait.
    case dismissAll(ToastFilter)

    /// Stop a toast's countdown for everyone, for at most ``Engine/maximumLease``; again to hold it longer.
    case hold(ToastID, holder: String, lease: Interval)

    /// Let go of a toast; nothing happens when the holder does not hold it.
    case release(ToastID, holder: String)

    /// Replace the channel's own settings.
    case configure(Settings)

    /// Tell who watches now.
    case audience(Audience)

    /// Do what time asks for: at ``Engine/nextDeadline``.
    case tick

    /// Dismiss all toasts that have a reuse identifier.
    public static func dismissAll(reuseIdentifier: String) -> Self {
        .dismissAll(ToastFilter(reuseIdentifier: reuseIdentifier))
    }

    /// When the engine refuses, if it does.
    enum Refusal {
        /// Never.
        case never
        /// Before it has changed anything for the command.
        case first
        /// Perhaps when it has carried out a part of the command.
        case late
    }

    /// When the engine refuses this command.
    var refusal: Refusal {
        switch self {
        case .enqueue, .update, .dismiss, .act, .hold, .release: .first
        case .clear, .dismissAll, .configure, .audience, .tick: .never
        }
    }
}
