import GRDB
import GRDBSQLite
import ToastCore

/// The statement that inserts a row of events, executed without GRDB's overhead.
///
/// GRDB boxes arguments, copies them several times and asks its observers. That takes 10,000 instructions for an event
/// whose insertion takes SQLite half of that. There are no observers here, and SQLite reads the bytes only during the
/// call.
struct RowInsertion {
    /// The statement of ``Query/insertEvents``.
    let statement: Statement

    /// Inserts a row of a channel.
    ///
    /// - Throws: `DatabaseError`, as GRDB does.
    func execute(_ channel: Int64, _ row: EventBatchRow) throws(DatabaseError) {
        let handle = unsafe self.statement.sqliteStatement
        let code = unsafe row.envelopes.withUnsafeBytes { bytes -> CInt in
            unsafe sqlite3_bind_int64(handle, 1, channel)
            unsafe sqlite3_bind_int64(handle, 2, row.last.rawValue)
            unsafe sqlite3_bind_int64(handle, 3, row.at.nanoseconds)
            unsafe sqlite3_bind_int64(handle, 4, Int64(row.count))
            // Without a destructor SQLite makes no copy; the bytes stay valid until the statement is reset.
            let bound =
                row.envelopes.isEmpty
                ? unsafe sqlite3_bind_zeroblob(handle, 5, 0)
                : unsafe sqlite3_bind_blob64(handle, 5, bytes.baseAddress, UInt64(bytes.count), nil)
            guard bound == SQLITE_OK else { return bound }
            // Resetting repeats the error of the step, if it had one. <https://www.sqlite.org/c3ref/reset.html>
            _ = unsafe sqlite3_step(handle)
            return unsafe sqlite3_reset(handle)
        }
        guard code == SQLITE_OK else { throw self.failure(code) }
    }

    private func failure(_ code: CInt) -> DatabaseError {
        let message = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(self.statement.sqliteStatement)))
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: self.statement.sql)
    }
}
