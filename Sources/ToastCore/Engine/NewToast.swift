/// A toast to be enqueued.
public struct NewToast: Hashable, Sendable {
    /// The id that it will have.
    public let id: ToastID

    /// What its publisher sent.
    public let draft: ToastDraft

    /// A toast to be enqueued.
    public init(id: ToastID, draft: ToastDraft) {
        self.id = id
        self.draft = draft
    }

    /// Drafts with ids that are drawn for them.
    public static func draw(
        _ drafts: [ToastDraft],
        at instant: Instant,
        using generator: inout some RandomNumberGenerator
    ) -> [Self] {
        if drafts.count == 1 { return [Self(id: ToastID(at: instant, using: &generator), draft: drafts[0])] }
        return zip(ToastID.draw(drafts.count, at: instant, using: &generator), drafts).map(Self.init)
    }
}
