import GRDB
import Synchronization
import ToastCore

/// Counts the outbox, so that asking how full it is costs no query; written behind each commit.
final class OutboxTally: Sendable {
    /// What one transaction does.
    struct Change {
        var waiting = 0
        var displaced = 0
    }

    private let waiting: Atomic<Int>
    private let displaced = Atomic<Int>(0)

    init(waiting: Int = 0) {
        self.waiting = Atomic(waiting)
    }

    var counts: OutboxCounts {
        OutboxCounts(
            waiting: self.waiting.load(ordering: .relaxed),
            displaced: self.displaced.load(ordering: .relaxed)
        )
    }

    func add(_ change: Change) {
        self.waiting.add(change.waiting, ordering: .relaxed)
        self.displaced.add(change.displaced, ordering: .relaxed)
    }

    /// Reads the number of deliveries that a store begins with; it alone walks over all of them.
    static func count(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM deliveries") ?? 0
    }
}
