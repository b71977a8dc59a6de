import EventLoop
package import ToastCore

/// Converts the monotonic clock to the engine's instants.
///
/// The wall clock is read once, at the start of the server. From then on instants follow the monotonic clock, so that
/// setting the wall clock moves no timer. In a cluster it shows the time of all nodes.
package struct HubClock: Sendable {
    /// The difference of nanoseconds since 1970 and the monotonic clock, without ``clusterLead``.
    private var anchor: Int64
    private let clusterLead: (@Sendable () -> Int64)?

    /// A clock that starts at a reading of the wall clock.
    ///
    /// - Parameter wallClock: Nanoseconds since 1970, now.
    package init(wallClock: Int64) {
        self.anchor = wallClock - EventLoop.now
        self.clusterLead = nil
    }

    /// A clock that shows the time that the nodes of a cluster share.
    ///
    /// - Parameter clusterLead: Reads by how many nanoseconds that time is ahead of this machine's monotonic clock now.
    ///   It changes slowly, and never so that time would go backwards; it is called for each decision of a channel, on
    ///   any thread.
    package init(clusterLead: @escaping @Sendable () -> Int64) {
        self.anchor = 0
        self.clusterLead = clusterLead
    }

    /// By how much this clock is ahead of the monotonic clock now.
    private var lead: Int64 { self.anchor + (self.clusterLead?() ?? 0) }

    /// This clock, or one that runs ahead of it so that it does not start before an instant.
    ///
    /// When a channel's last event is in the future, the wall clock was set back after it was written. The channel's
    /// time continues from that event: otherwise its time, and the toasts on screen, would stand still until the wall
    /// clock reaches the event.
    func notBefore(_ instant: Instant) -> Self {
        let (gap, overflow) = instant.nanoseconds.subtractingReportingOverflow(self.now.nanoseconds)
        guard !overflow, gap > 0, gap < Self.longestGap else { return self }
        var clock = self
        clock.anchor += gap
        return clock
    }

    /// A century: a gap beyond it comes from invalid data, and would overflow the clock.
    private static let longestGap: Int64 = 100 * 365 * 86_400 * 1_000_000_000

    /// The current instant; it stays at the maximum after an overflow.
    package var now: Instant { Instant(nanoseconds: EventLoop.now) + Interval(nanoseconds: self.lead) }

    /// The monotonic clock's reading at an instant, for the loop's timers.
    func deadline(of instant: Instant) -> Int64 {
        let (deadline, overflow) = instant.nanoseconds.subtractingReportingOverflow(self.lead)
        return overflow ? .max : deadline
    }
}
