/// How long a store keeps events.
public struct Retention: Hashable, Sendable {
    /// The events kept for each channel, at least 1.
    public let events: Int

    /// The age at which an event may be forgotten.
    public let age: Interval

    /// How long an idempotency record is kept.
    public let recordAge: Interval

    /// The most deliveries that wait for one webhook; one more displaces the oldest.
    public let deliveries: Int

    /// How many deliveries wait for one webhook at most, unless the configuration says otherwise.
    public static let standardDeliveries = 1000

    /// 1000 events or 12 hours for each channel, whichever is less; idempotency records for 24 hours.
    public static let standard = Self(
        events: 1000,
        age: Interval(seconds: 12 * 3600),
        recordAge: Interval(seconds: 24 * 3600)
    )

    /// A retention rule.
    public init(events: Int, age: Interval, recordAge: Interval, deliveries: Int = Self.standardDeliveries) {
        self.events = events
        self.age = age
        self.recordAge = recordAge
        self.deliveries = deliveries
    }
}
