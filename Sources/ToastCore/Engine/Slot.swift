/// A place on screen with a toast in it.
struct Slot: Hashable, Sendable {
    /// A hold on the toast.
    struct Hold: Hashable, Sendable {
        let holder: String
        /// When it began; a renewal changes only its end.
        let since: Instant
        let until: Instant
    }

    /// How long a holder held the toast, in holds that have ended.
    struct HeldTime: Hashable, Sendable {
        let holder: String
        let length: Interval
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

    /// Its holds in the order in which they began or were last renewed, at most one of each holder.
    var holds: [Hold] = []

    /// The ended holds of the last ``Engine/maximumHolders`` holders, the latest last; an older one is forgotten.
    var heldTimes: [HeldTime] = []

    /// The hold that expires first.
    var firstHold: Hold? { self.holds.min { $0.until < $1.until } }

    /// The first deadline: the end of a hold, or else of the countdown.
    var deadline: QueueKey<Deadline>? {
        if !self.holds.isEmpty, let hold = self.firstHold { return self.key(.release, at: hold.until) }
        guard case .running(let end) = self.countdown else { return nil }
        return self.key(.timeout, at: end)
    }

    /// How long a holder may still hold the toast.
    func holdTimeLeft(of holder: String, at now: Instant) -> Interval {
        let ended = self.heldTimes.first { $0.holder == holder }?.length ?? .zero
        let running = self.holds.first { $0.holder == holder }.map { now - $0.since } ?? .zero
        return max(.zero, Engine.maximumHoldTime - ended - running)
    }

    /// Begins or renews a hold.
    mutating func hold(by holder: String, from now: Instant, until end: Instant) {
        let since = self.holds.first { $0.holder == holder }?.since ?? now
        self.holds.removeAll { $0.holder == holder }
        self.holds.append(Hold(holder: holder, since: since, until: end))
    }

    /// Ends a hold, and adds its length to its holder's time; does nothing when there is none.
    mutating func release(by holder: String, at now: Instant) {
        guard let hold = self.holds.first(where: { $0.holder == holder }) else { return }
        self.holds.removeAll { $0.holder == holder }
        let ended = self.heldTimes.first { $0.holder == holder }?.length ?? .zero
        self.heldTimes.removeAll { $0.holder == holder }
        if self.heldTimes.count >= Engine.maximumHolders { self.heldTimes.removeFirst() }
        self.heldTimes.append(HeldTime(holder: holder, length: ended + max(.zero, now - hold.since)))
    }

    private func key(_ kind: Deadline.Kind, at instant: Instant) -> QueueKey<Deadline> {
        QueueKey(key: Deadline(at: instant, kind: kind), sequence: self.sequence, id: self.id)
    }
}
