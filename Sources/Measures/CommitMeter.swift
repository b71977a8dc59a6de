/// What a store's commits cost; written by its one writing thread.
public final class CommitMeter: Sendable {
    /// How long transactions took, in nanoseconds; those that failed too.
    public let durations = Histogram(.latency)

    /// How many changes shared a transaction.
    public let sizes = Histogram(.size)

    /// Transactions that failed, with everything in them.
    public let failures = Counter()

    /// Nothing committed yet.
    public init() {}
}
