package import Metrics
import Synchronization

/// Counts the appends of a store on NATS that did not go as usual; used on any thread.
package final class CommitCounters: MetricsCollector {
    let conflicts = Atomic(0)
    let undecided = Atomic(0)
    let omittedSnapshots = Atomic(0)

    init() {}

    /// Writes the families of the store.
    package func write(to text: inout MetricsText) {
        text.family("toastd_store_conflicts_total", .counter, "Appends behind which another process had appended.")
        text.sample([:], self.conflicts.load(ordering: .relaxed))
        text.family("toastd_store_undecided_total", .counter, "Appends that the log may have or not.")
        text.sample([:], self.undecided.load(ordering: .relaxed))
        text.family("toastd_store_omitted_snapshots_total", .counter, "Snapshots that were too large to be stored.")
        text.sample([:], self.omittedSnapshots.load(ordering: .relaxed))
    }
}
