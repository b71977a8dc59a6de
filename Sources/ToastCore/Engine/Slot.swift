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

    /// Where it stands among the others that were sent: the same as its entry's.
    var sequence: Offset

    /// Where it stands on screen: the offset of the event that showed it, or made it the newest again since.
    ///
    /// A toast that waited while one on screen was sent again comes behind that one, as everybody sees who watched.
    var place: Offset

    /// The time that it has left.
    var countdown: Countdown

    /// Who holds it, in the order in which they took hold; no holder stands here twice.
    var holds: [Hold] = []

    /// The hold that ends first.
    var firstHold: Hold? { self.holds.min { $0.until < $1.until } }

    /// What time brings about here first: the end of a hold, or else of the countdown.
    var deadline: QueueKey<Deadline>? {
        if !self.holds.isEmpty, let hold = self.firstHold { return self.ticket(.release, at: hold.until) }
        guard case .running(let end) = self.countdown else { return nil }
        return self.ticket(.timeout, at: end)
    }

    private func ticket(_ what: Deadline.What, at instant: Instant) -> QueueKey<Deadline> {
        QueueKey(key: Deadline(at: instant, what: what), sequence: self.sequence, id: self.id)
    }
}
