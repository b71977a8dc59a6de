/// A toast's place in an order: by a key, then by the order in which the toasts were enqueued or sent again.
///
/// The sequence number makes every order total, so the order never depends on how a library sorts (NoticeUI bug 13 in
/// `docs/engine.md`).
struct QueueKey<Key: Comparable & Sendable>: Comparable, Sendable {
    /// What is compared first; the least is first.
    let key: Key

    /// The offset of the toast's `enqueued` event, or of the `updated` event that made it the newest since.
    ///
    /// No two toasts of a channel share one.
    let sequence: Offset

    /// The toast.
    let id: ToastID

    static func < (left: Self, right: Self) -> Bool {
        (left.key, left.sequence) < (right.key, right.sequence)
    }
}
