import GRDB
import ToastCore

extension SQLiteWriterSession {
    /// Finds out whether the store can write, by writing what no channel has and taking it back.
    ///
    /// It goes the way of an event, and needs room for a few of them (64 KiB): a disk on which the next toast would
    /// fail again is no disk that recovered. The pages that it frees are the next events' own.
    ///
    /// - Throws: Why nothing can be written.
    func probe() throws(StoreError) {
        do {
            // Two transactions: pages that come and go within one are never written.
            try self.run(Query.insertProbe, arguments: [Self.probeChannel, Self.probeSize])
            try self.run(Query.removeProbe, arguments: [Self.probeChannel])
        } catch {
            throw StoreError(error)
        }
    }

    private func run(_ query: Query, arguments: StatementArguments) throws {
        try self.database.inTransaction(.immediate) {
            try self.database.execute(sql: query.rawValue, arguments: arguments)
            return .commit
        }
    }

    /// No channel: their numbers begin at 1.
    static let probeChannel: Int64 = 0

    private static let probeSize = 65_536
}
