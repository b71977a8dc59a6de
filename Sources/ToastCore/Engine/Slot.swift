/// A place on screen with a toast in it.
struct Slot: Hashable, Sendable {
    /// A hold on the toast.
    struct Hold: Hashable, Sendable {
        /// The holder's name.
        let holder: String

        /// When the hold expires.
        let until: Instant
    }

    /// The toast.
    let id: ToastID

    /// Its order among the others: the same as its entry's.
    var sequence: Offset

    /// Its order on screen: the offset of the event that presented it, or made it the newest again since.
    ///
    /// A toast that was queued while one on screen was sent again comes after that one.
    var place: Offset

    /// The time that it has left.
    var countdown: Countdown

    /// Its holds in the order in which they began, at most one of each holder.
    var holds: [Hold] = []

    /// The hold that expires first.
    var firstHold: Hold? { self.holds.min { $0.until < $1.until } }

    /// The first deadline: the end of a hold, or else of the countdown.
    var deadline: QueueKey<Deadline>? {
        if !self.holds.isEmpty, let hold = self.firstHold { return self.key(.release, at: hold.until) }
        guard case .running(let end) = self.countdown else { return nil }
        return self.key(.timeout, at: end)
    }

    private func key(_ kind: Deadline.Kind, at instant: Instant) -> QueueKey<Deadline> {
        QueueKey(key: Deadline(at: instant, kind: kind), sequence: self.sequence, id: self.id)
    }
}
