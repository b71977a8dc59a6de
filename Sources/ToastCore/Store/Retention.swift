/// How long a store keeps events.
public struct Retention: Hashable, Sendable {
    /// The events kept for each channel, at least 1.
    public let events: Int

    /// The age at which an event may be forgotten.
    public let age: Interval

    /// How long an idempotency record is kept.
    public let recordAge: Interval

    /// The most deliveries that wait for one webhook; past it the oldest is given up.
    public let deliveries: Int

    /// 1000 events or 12 hours for each channel, whichever is less; idempotency records for 24 hours.
    public static let standard = Self(
        events: 1000,
        age: Interval(seconds: 12 * 3600),
        recordAge: Interval(seconds: 24 * 3600)
    )

    /// A retention rule.
    public init(events: Int, age: Interval, recordAge: Interval, deliveries: Int = Outbox.capacity) {
        self.events = events
        self.age = age
        self.recordAge = recordAge
        self.deliveries = deliveries
    }
}

/// The bounds of an outbox.
public enum Outbox {
    /// The deliveries that wait for one webhook at most, unless a retention says otherwise.
    public static let capacity = 1000
}
