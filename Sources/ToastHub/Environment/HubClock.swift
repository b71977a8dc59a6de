import EventLoop
package import ToastCore

/// Converts the monotonic clock to the engine's instants.
///
/// The wall clock is read once, at the start of the server. From then on instants follow the monotonic clock, so that
/// setting the wall clock moves no timer.
package struct HubClock: Sendable {
    /// The difference of nanoseconds since 1970 and the monotonic clock.
    private let anchor: Int64

    /// A clock that starts at a reading of the wall clock.
    ///
    /// - Parameter wallClock: Nanoseconds since 1970, now.
    package init(wallClock: Int64) {
        self.anchor = wallClock - EventLoop.now
    }

    private init(anchor: Int64) {
        self.anchor = anchor
    }

    /// This clock, or one that runs ahead of it so that it does not start before an instant.
    ///
    /// When a channel's last event is in the future, the wall clock was set back after it was written. The channel's
    /// time continues from that event: otherwise its time, and the toasts on screen, would stand still until the wall
    /// clock reaches the event.
    func notBefore(_ instant: Instant) -> Self {
        let (gap, overflow) = instant.nanoseconds.subtractingReportingOverflow(self.now.nanoseconds)
        guard !overflow, gap > 0, gap < Self.longestGap else { return self }
        return Self(anchor: self.anchor + gap)
    }

    /// A century: a gap beyond it comes from invalid data, and would overflow the clock.
    private static let longestGap: Int64 = 100 * 365 * 86_400 * 1_000_000_000

    /// The current instant; it stays at the maximum after an overflow.
    package var now: Instant { Instant(nanoseconds: EventLoop.now) + Interval(nanoseconds: self.anchor) }

    /// The monotonic clock's reading at an instant, for the loop's timers.
    func deadline(of instant: Instant) -> Int64 {
        let (deadline, overflow) = instant.nanoseconds.subtractingReportingOverflow(self.anchor)
        return overflow ? .max : deadline
    }
}
