/// A point in time: nanoseconds since 1970, counted on the monotonic clock.
///
/// A server reads the wall clock once when it starts and counts on from there with the monotonic clock, so an
/// instant can be shown to people, yet never runs backwards while the server lives. A channel that is restored from a
/// store takes the later of "now" and its last instant, which keeps that true across restarts.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public let nanoseconds: Int64

    /// An instant so many nanoseconds after 1970.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Orders instants in time.
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The instant that is `interval` later; clamped to the first or last instant on overflow.
    public static func + (instant: Self, interval: Interval) -> Self {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(interval.nanoseconds)
        guard overflow else { return Self(nanoseconds: sum) }
        return Self(nanoseconds: interval.nanoseconds > 0 ? .max : .min)
    }

    /// The time from `earlier` to `later`; negative when they are the other way round.
    public static func - (later: Self, earlier: Self) -> Interval {
        let (difference, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        guard overflow else { return Interval(nanoseconds: difference) }
        return Interval(nanoseconds: later > earlier ? .max : .min)
    }
}

extension Instant {
    /// The beginning of 2262, in seconds since 1970: nanoseconds in 64 bits end on 11 April of that year.
    private static let wallClockEnd = 9_214_646_400.0

    /// The instant of a wall clock in seconds since 1970; `nil` before 1970 and from 2262 on.
    public init?(wallClock seconds: Double) {
        guard seconds >= 0, seconds < Self.wallClockEnd else { return nil }
        self = Self(nanoseconds: 0) + Interval(seconds: seconds)
    }

    /// The instant of a wall clock in seconds since 1970, clamped to what ``init(wallClock:)`` accepts.
    public init(clampingWallClock seconds: Double) {
        self = Self(nanoseconds: 0) + Interval(seconds: min(max(0, seconds), Self.wallClockEnd))
    }
}

/// A length of time in nanoseconds: what the engine counts with, in place of floating-point seconds.
public struct Interval: Hashable, Comparable, Sendable {
    /// The length in nanoseconds; may be negative.
    public let nanoseconds: Int64

    /// No time at all.
    public static let zero = Self(nanoseconds: 0)

    /// A length in nanoseconds.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// A length in seconds, rounded to the nanosecond; clamped to what fits, and zero when not a number.
    public init(seconds: Double) {
        let nanoseconds = (seconds * 1_000_000_000).rounded()
        self.nanoseconds = Int64(exactly: nanoseconds) ?? (nanoseconds > 0 ? .max : nanoseconds < 0 ? .min : 0)
    }

    /// The length in seconds.
    public var seconds: Double { Double(self.nanoseconds) / 1_000_000_000 }

    /// Orders lengths.
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The sum of two lengths; clamped on overflow.
    public static func + (left: Self, right: Self) -> Self {
        Self(nanoseconds: (Instant(nanoseconds: left.nanoseconds) + right).nanoseconds)
    }

    /// The difference of two lengths, which may be negative; clamped on overflow.
    public static func - (left: Self, right: Self) -> Self {
        Instant(nanoseconds: left.nanoseconds) - Instant(nanoseconds: right.nanoseconds)
    }
}
