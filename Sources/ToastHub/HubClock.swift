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

    /// The instant now.
    public var now: Instant { Instant(nanoseconds: EventLoop.now + self.anchor) }

    /// The monotonic clock's reading at an instant, for the loop's timers.
    func deadline(of instant: Instant) -> Int64 {
        let (deadline, overflow) = instant.nanoseconds.subtractingReportingOverflow(self.anchor)
        return overflow ? .max : deadline
    }
}
