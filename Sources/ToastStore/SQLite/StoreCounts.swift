import GRDB
import Synchronization
import ToastCore

/// What a store counts, so that asking for it costs no query; written after each commit.
final class StoreCounts: Sendable {
    /// The counts after a transaction.
    struct Values: Sendable {
        /// How many channels there are.
        var channels: Int

        /// The offset after which a new channel begins.
        var floor: Offset

        /// How many deliveries wait.
        var waiting: Int

        /// How many deliveries were given up since the start because too many waited.
        var displaced = 0
    }

    private let state: Mutex<Values>
    private let limit = Atomic<Int>(.max)

    /// Reads the counts that a store begins with; nothing else walks over all channels and deliveries.
    init(_ database: Database) throws {
        let channels = try Int.fetchOne(database, sql: "SELECT count(*) FROM channels") ?? 0
        let floor = try database.floor()
        let waiting = try database.deliveryCount()
        self.state = Mutex(Values(channels: channels, floor: floor, waiting: waiting))
    }

    /// The counts after the last commit.
    var values: Values {
        get { self.state.withLock { $0 } }
        set { self.state.withLock { $0 = newValue } }
    }

    /// The most channels that there may be.
    var channelLimit: Int {
        get { self.limit.load(ordering: .relaxed) }
        set { self.limit.store(newValue, ordering: .relaxed) }
    }
}
