extension Engine {
    /// Has the server's defaults hold from now on, below what the channel sets for itself.
    ///
    /// They are ambient, as the lexicon is, but what they say decides how events are folded. So the next event that the channel
    /// has is preceded by a `configured` one that tells of them; a channel in which nothing ever happens needs none, and is
    /// not stored because somebody has looked at it.
    ///
    /// - Parameter base: Nothing set, over the defaults for this channel.
    public mutating func assume(_ base: Settings) {
        guard base.defaults != self.settings.defaults else { return }
        let told = self.toldDefaults ?? self.settings.defaults
        self.foldConfigured(self.settings.over(base))
        self.toldDefaults = base.defaults == told ? nil : told
    }

    /// Whether the next event is preceded by one that tells of the defaults.
    var owesConfiguration: Bool { self.toldDefaults != nil }

    /// Tells of the defaults that were assumed, because somebody listens.
    ///
    /// - Parameter instant: Now.
    /// - Returns: What happened; nothing when they were told of already.
    public mutating func tellOfDefaults(at instant: Instant) -> [Event] {
        guard self.owesConfiguration else { return [] }
        return self.carryOutOwing({ _, _, _ in }, at: max(instant.wholeMilliseconds, self.lastInstant), isTold: true)
    }

    /// Does what ``carryOut(_:at:)`` does, and tells of the settings first if anything comes of it, or in any case.
    @inline(never)
    mutating func carryOutOwing<Refusal: Error>(
        _ change: (inout Self, Instant, inout [Event]) throws(Refusal) -> Void,
        at now: Instant,
        isTold: Bool = false
    ) throws(Refusal) -> [Event] {
        var (trial, events): (Self, [Event]) = (self, [])
        trial.toldDefaults = nil
        // Before all that is overdue: it happens under these settings.
        let first = max(self.lastInstant, min(now, self.nextDeadline ?? now))
        trial.emit(.configured(trial.settings), at: first, &events)
        trial.yieldToNewest(at: first, &events)
        let rest = try trial.carryOut(change, at: now)
        // What is no event, as the audience, has to be done all the same.
        guard isTold || !rest.isEmpty || events.count > 1 else { return try self.carryOut(change, at: now) }
        self = trial
        return events + rest
    }
}
