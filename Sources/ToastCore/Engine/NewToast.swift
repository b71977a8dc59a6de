/// A toast to be enqueued.
public struct NewToast: Equatable, Sendable {
    /// The id that it will have.
    public let id: ToastID

    /// What its publisher sent.
    public let draft: ToastDraft

    /// A toast to be enqueued.
    public init(id: ToastID, draft: ToastDraft) {
        self.id = id
        self.draft = draft
    }
}
