import GRDB
import Synchronization
import ToastCore

/// Counts the channels, so that asking how many there are costs no query; written behind each commit.
final class ChannelTally: Sendable {
    /// How many channels there are, and the place behind which a new one begins.
    struct Count: Sendable {
        var number = 0
        var floor = Offset.origin

        /// No channel.
        init() {}

        /// Reads what a store begins with: a walk over the index of all names, and the only one.
        init(_ database: Database) throws {
            self.number = try Int.fetchOne(database, sql: "SELECT count(*) FROM channels") ?? 0
            self.floor = try database.floor()
        }
    }

    private let state: Mutex<Count>
    private let most = Atomic<Int>(.max)

    init(_ count: Count = Count()) {
        self.state = Mutex(count)
    }

    var count: Count { self.state.withLock { $0 } }

    /// The most channels that there may be.
    var limit: Int { self.most.load(ordering: .relaxed) }

    func set(_ count: Count) { self.state.withLock { $0 = count } }

    func setLimit(_ limit: Int) { self.most.store(limit, ordering: .relaxed) }
}
