import EventLoop
public import ToastCore

/// Turns the monotonic clock into the engine's instants.
///
/// The wall clock is read once, when the server starts; from then on instants follow the monotonic clock, so that
/// a wall clock that is set does not move a single timer.
public struct HubClock: Sendable {
    /// What has to be added to the monotonic clock to get nanoseconds since 1970.
    private let anchor: Int64

    /// A clock that starts at a reading of the wall clock.
    ///
    /// - Parameter wallClock: Nanoseconds since 1970, now.
    public init(wallClock: Int64) {
        self.anchor = wallClock - EventLoop.now
    }

    private init(anchor: Int64) {
        self.anchor = anchor
    }

    /// The same clock, or one that runs ahead of it by as much as it takes not to be behind an instant.
    ///
    /// A channel whose last event lies in the future was written before somebody set the wall clock back. Its time
    /// goes on from that event: otherwise it would stand still until the wall clock is there again, with whatever is
    /// on screen.
    func notBefore(_ instant: Instant) -> Self {
        let (gap, overflow) = instant.nanoseconds.subtractingReportingOverflow(self.now.nanoseconds)
        guard !overflow, gap > 0, gap < Self.longestGap else { return self }
        return Self(anchor: self.anchor + gap)
    }

    /// A century: an instant still further away is nobody's, and the clock would overflow.
    private static let longestGap: Int64 = 100 * 365 * 86_400 * 1_000_000_000

    /// The instant now; the last there is, from then on.
    public var now: Instant { Instant(nanoseconds: EventLoop.now) + Interval(nanoseconds: self.anchor) }

    /// The monotonic clock's reading at an instant, for the loop's timers.
    func deadline(of instant: Instant) -> Int64 {
        let (deadline, overflow) = instant.nanoseconds.subtractingReportingOverflow(self.anchor)
        return overflow ? .max : deadline
    }
}
