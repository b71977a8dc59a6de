import ToastCore

/// Notices that the process stood still: it was stopped, the machine was suspended, or its loop was too busy.
///
/// What such a process knows is old: audiences may have lapsed, and its own listeners may have closed connections that
/// nobody has looked at yet.
struct Standstill {
    /// The time between two ticks from which on the process stood still: twice as long as usual.
    static let limit = Interval(nanoseconds: 2 * Membership.period.nanoseconds)

    /// When the node last did what was due; nil before its start.
    private var lastTick: Instant?

    /// Whether the process has stood still, and has not yet done what became due meanwhile.
    func isUnhandled(at now: Instant) -> Bool {
        guard let lastTick = self.lastTick else { return false }
        return now - lastTick > Self.limit
    }

    /// Notes that the node has done what was due.
    mutating func noteTick(at now: Instant) { self.lastTick = now }
}
