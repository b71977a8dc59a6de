package import Metrics
import Synchronization

/// The counters of a node since its start.
package final class ClusterCounters: MetricsCollector {
    /// The partitions that this node owns.
    package let owned = Counter()

    /// The partitions that this node took over.
    package let takeovers = Counter()

    /// The requests of other nodes that this node did not accept, because too many were in progress.
    package let overloads = Counter()

    /// The messages that this node could not read.
    package let unreadable = Counter()

    /// How long the last heartbeat took from this node to itself, in nanoseconds.
    let lag = Counter()

    /// The other nodes that this node knows.
    let peers = Counter()

    private let repeated = Atomic(0)

    /// Counters of a node that has done nothing.
    package init() {}

    /// The requests that this node sent to owners again.
    package var repetitions: Int { self.repeated.load(ordering: .relaxed) }

    /// Counts a repetition, on any thread.
    func countRepetition() { self.repeated.add(1, ordering: .relaxed) }

    package func write(to text: inout MetricsText) {
        text.family("toastd_cluster_peers", .gauge, "Other nodes that this node knows.")
        text.sample([:], self.peers.value)
        text.family("toastd_cluster_owned_partitions", .gauge, "Partitions, of 256, that this node decides for.")
        text.sample([:], self.owned.value)
        text.family("toastd_cluster_takeovers_total", .counter, "Partitions that this node took over.")
        text.sample([:], self.takeovers.value)
        text.family("toastd_cluster_repetitions_total", .counter, "Requests that were sent to an owner again.")
        text.sample([:], self.repetitions)
        text.family("toastd_cluster_overloads_total", .counter, "Requests of other nodes that were too many.")
        text.sample([:], self.overloads.value)
        text.family("toastd_cluster_unreadable_total", .counter, "Messages of other nodes that could not be read.")
        text.sample([:], self.unreadable.value)
        text.family("toastd_cluster_bus_lag_seconds", .gauge, "Time that the last heartbeat took to its own node.")
        text.sample([:], Double(self.lag.value) / 1_000_000_000)
    }
}
