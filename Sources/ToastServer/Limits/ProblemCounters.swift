import Synchronization

/// How often each problem was answered, so that every limit that was reached shows.
final class ProblemCounters: Sendable {
    private let counts = Mutex<[ProblemType: Int]>([:])

    func count(_ type: ProblemType) {
        self.counts.withLock { $0[type, default: 0] += 1 }
    }

    /// The problems that there were, in the order of the API's table.
    var all: [(ProblemType, Int)] {
        let counts = self.counts.withLock { $0 }
        return ProblemType.allCases.compactMap { type in counts[type].map { (type, $0) } }
    }
}
