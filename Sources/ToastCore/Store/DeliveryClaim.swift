/// The name of one that delivers from a queue, such as a process.
public struct DeliveryClaimer: RawRepresentable, Hashable, Sendable {
    /// The name; no two claimers of a queue share one.
    public let rawValue: String

    /// A claimer of a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A claim on deliveries: no other claimer gets them for a time.
public struct DeliveryClaim: Hashable, Sendable {
    /// Who claims.
    public let claimer: DeliveryClaimer

    /// When it claims.
    public let now: Instant

    /// When the claim lapses, so that others deliver what a dead claimer had.
    public let until: Instant

    /// A claim for some time from now on.
    public init(by claimer: DeliveryClaimer, at now: Instant, for time: Interval) {
        self.claimer = claimer
        self.now = now
        self.until = now + time
    }
}
