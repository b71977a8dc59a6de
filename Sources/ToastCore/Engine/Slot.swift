/// A place on screen with a toast in it.
struct Slot: Hashable, Sendable {
    /// Someone who wants the toast to stay.
    struct Hold: Hashable, Sendable {
        /// The name that they gave.
        let holder: String

        /// When the hold ends by itself.
        let until: Instant
    }

    /// The toast.
    let id: ToastID

    /// The time that it has left.
    var countdown: Countdown

    /// Who holds it, in the order in which they took hold; no holder stands here twice.
    var holds: [Hold] = []
}
