package import Metrics
import Synchronization

/// The counters of a node since its start.
package final class ClusterCounters: Sendable {
    /// The partitions that this node owns.
    package let owned = Counter()

    /// The partitions that this node took over.
    package let takeovers = Counter()

    /// The requests of other nodes that this node did not accept, because too many were in progress.
    package let overloads = Counter()

    /// The messages that this node could not read.
    package let unreadable = Counter()

    private let repeated = Atomic(0)

    init() {}

    /// The requests that this node sent to owners again.
    package var repetitions: Int { self.repeated.load(ordering: .relaxed) }

    /// Counts a repetition, on any thread.
    func countRepetition() {
        self.repeated.add(1, ordering: .relaxed)
    }
}
