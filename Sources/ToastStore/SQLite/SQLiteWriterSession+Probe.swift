import GRDB
import ToastCore

extension SQLiteWriterSession {
    /// Checks whether the store can write, by writing a row of no channel and deleting it.
    ///
    /// It writes to the table of events, and as much as several events (64 KiB), because a disk on which the next toast
    /// would fail has not recovered. The next events use the pages that it frees.
    ///
    /// - Throws: Why nothing can be written.
    func probe() throws(StoreError) {
        do {
            // Two transactions, because pages that are added and freed in the same one are never written.
            try self.inTransaction { try self.execute(.insertProbe, [Self.probeChannel, Self.probeSize]) }
            try self.inTransaction { try self.execute(.forgetEvents, [Self.probeChannel, Int64.max]) }
        } catch {
            throw StoreError(error)
        }
    }

    /// No channel has it: their ids begin at 1.
    static let probeChannel: Int64 = 0

    private static let probeSize = 65_536
}
