import GRDB
import GRDBSQLite

/// A statement that inserts a row of four numbers and a blob, executed without GRDB's overhead.
///
/// GRDB boxes arguments, copies them several times and asks its observers. That takes 10,000 instructions for an event
/// whose insertion takes SQLite half of that. There are no observers here, and SQLite reads the bytes only during the
/// call.
struct RowInsertion {
    private let statement: Statement

    /// Wraps a statement with five parameters.
    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Inserts a row.
    ///
    /// - Throws: `DatabaseError`, as GRDB does; the statement must not be used again after that.
    func execute(
        _ first: Int64,
        _ second: Int64,
        _ third: Int64,
        _ fourth: Int64,
        _ blob: [UInt8]
    ) throws(DatabaseError) {
        let handle = unsafe self.statement.sqliteStatement
        let code = unsafe blob.withUnsafeBytes { bytes -> CInt in
            unsafe sqlite3_bind_int64(handle, 1, first)
            unsafe sqlite3_bind_int64(handle, 2, second)
            unsafe sqlite3_bind_int64(handle, 3, third)
            unsafe sqlite3_bind_int64(handle, 4, fourth)
            // Without a destructor SQLite makes no copy; the bytes stay valid until the statement is reset.
            let bound =
                blob.isEmpty
                ? unsafe sqlite3_bind_zeroblob(handle, 5, 0)
                : unsafe sqlite3_bind_blob64(handle, 5, bytes.baseAddress, UInt64(bytes.count), nil)
            guard bound == SQLITE_OK else { return bound }
            let stepped = unsafe sqlite3_step(handle)
            guard stepped == SQLITE_DONE else { return stepped }
            return unsafe sqlite3_reset(handle)
        }
        guard code == SQLITE_OK else { throw self.failure(code) }
    }

    private func failure(_ code: CInt) -> DatabaseError {
        let message = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(self.statement.sqliteStatement)))
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: self.statement.sql)
    }
}
