/// A toast of a channel: its content and its state.
@dynamicMemberLookup
public struct Toast: Equatable, Sendable {
    /// Its id.
    public let id: ToastID

    /// The channel that it belongs to.
    public let channel: ChannelName

    /// Its revision: 1 when it is new, one more for each change.
    public internal(set) var revision = 1

    /// Its state.
    public internal(set) var state = ToastState.queued

    /// Its content.
    public internal(set) var content: ToastContent

    /// When it was enqueued.
    public internal(set) var createdAt: Instant

    /// When it came on screen, if it ever did.
    public internal(set) var presentedAt: Instant?

    /// When it was dismissed.
    public internal(set) var dismissedAt: Instant?

    /// Why it was dismissed.
    public internal(set) var dismissReason: DismissReason?

    /// The action that a person pressed.
    public internal(set) var action: String?

    /// One of the members of its content.
    public subscript<Member>(dynamicMember member: KeyPath<ToastContent, Member>) -> Member {
        self.content[keyPath: member]
    }

    /// One of the members that few toasts have.
    public subscript<Member>(dynamicMember member: KeyPath<ToastDetails, Member>) -> Member {
        self.content.details[keyPath: member]
    }
}
