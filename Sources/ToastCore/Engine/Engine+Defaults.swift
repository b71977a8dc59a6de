extension Engine {
    /// Puts the server's defaults below what the channel sets for itself.
    ///
    /// The defaults decide how events are folded, so the log has to contain them: a `configured` event precedes the
    /// channel's next event. Nothing is written before that, so a channel that is only read is not stored.
    ///
    /// - Parameter base: Empty settings over the defaults for this channel.
    public mutating func applyDefaults(_ base: Settings) {
        guard base.defaults != self.settings.defaults else {
            // Equal settings, but in the object that all channels without settings of their own share.
            if self.settings.members.isEmpty { self.settings = base }
            return
        }
        let told = self.loggedDefaults ?? self.settings.defaults
        self.foldConfigured(self.settings.over(base))
        self.loggedDefaults = base.defaults == told ? nil : told
    }

    /// Whether a `configured` event has to precede the next event.
    ///
    /// Until then a ``snapshotState()`` must not be stored: it contains the new defaults, so a channel restored from it
    /// would never write the event, and clients would keep the old settings.
    public var owesConfiguration: Bool { self.loggedDefaults != nil }

    /// Writes a `configured` event with the current settings, for listeners that may know other ones.
    public mutating func announceDefaults(at instant: Instant) -> [Event] {
        self.carryOutAfterConfigured({ _, _, _ in }, at: self.now(instant), announces: true)
    }

    /// Does what ``carryOut(_:at:)`` does, with a `configured` event first if other events follow, or if `announces`.
    @inline(never)
    mutating func carryOutAfterConfigured<Failure: Error>(
        _ change: (inout Self, Instant, inout [Event]) throws(Failure) -> Void,
        at now: Instant,
        announces: Bool = false
    ) throws(Failure) -> [Event] {
        var (trial, events): (Self, [Event]) = (self, [])
        trial.loggedDefaults = nil
        // Before everything that is overdue, because that happens under these settings.
        let first = max(self.lastInstant, min(now, self.nextDeadline ?? now))
        trial.emit(.configured(trial.settings), at: first, &events)
        trial.yieldToNewest(at: first, &events)
        let rest = try trial.carryOut(change, at: now)
        // A change that makes no event, such as the audience, still has to be made.
        guard announces || !rest.isEmpty || events.count > 1 else { return try self.carryOut(change, at: now) }
        self = trial
        return events + rest
    }
}
