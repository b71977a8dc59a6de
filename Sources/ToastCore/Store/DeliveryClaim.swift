/// Names one of those who deliver from a queue, such as a process.
public struct DeliveryClaimer: RawRepresentable, Hashable, Sendable {
    /// The name; no two claimers of a queue share one.
    public let rawValue: String

    /// A claimer of a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The wish to deliver: what it gets is given to nobody else for a time.
public struct DeliveryClaim: Hashable, Sendable {
    /// Who claims.
    public let claimer: DeliveryClaimer

    /// When.
    public let now: Instant

    /// The instant at which the claim lapses, so that what a claimer that died had is delivered by others.
    public let until: Instant

    /// A claim for some time from now on.
    public init(by claimer: DeliveryClaimer, at now: Instant, for time: Interval) {
        self.claimer = claimer
        self.now = now
        self.until = now + time
    }
}
