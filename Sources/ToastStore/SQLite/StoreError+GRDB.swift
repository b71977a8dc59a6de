import GRDB
import ToastCore

extension StoreError {
    /// What a caller is told of an error that GRDB or SQLite raised.
    ///
    /// <https://www.sqlite.org/rescode.html>
    init(_ error: any Error) {
        switch error {
        case let error as StoreError:
            self = error
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH:
                self = .corrupt("The database is damaged (\(error)). Restore it from a backup, or move it away.")
            case .SQLITE_FULL:
                self = .unavailable("The disk is full (\(error)). Free some space; the store recovers by itself.")
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
                self = .unavailable("The database cannot be written (\(error)). Check its permissions and its mount.")
            case .SQLITE_CANTOPEN:
                self = .unavailable("The database cannot be opened (\(error)). Check its path and permissions.")
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                self = .unavailable("Another program has the database locked (\(error)). End it, then try again.")
            case .SQLITE_MISUSE where error.message == DatabaseError.closedMessage:
                self = .closed
            default:
                self = .unavailable("The database failed (\(error)).")
            }
        default:
            self = .unavailable("The database failed (\(error)).")
        }
    }
}

extension DatabaseError {
    /// What GRDB says when a connection is used that was already closed.
    fileprivate static let closedMessage = "Connection is closed"
}
