package import Metrics

/// What the transactions of a store cost; written by its one writing thread.
package final class CommitMeter: MetricsCollector {
    /// How long transactions took, in nanoseconds; failed ones included.
    let durations = Histogram(.latency)

    /// How many changes shared a transaction.
    let sizes = Histogram(.size)

    /// Transactions that failed, with everything in them.
    let failures = Counter()

    package func write(to text: inout MetricsText) {
        text.family("toastd_store_commit_duration_seconds", .histogram, "Time that transactions took.")
        text.sample([:], self.durations.reading)
        text.family("toastd_store_commit_changes", .histogram, "Changes that shared a transaction.")
        text.sample([:], self.sizes.reading)
        text.family("toastd_store_commit_failures_total", .counter, "Transactions that failed.")
        text.sample([:], self.failures.value)
    }
}
