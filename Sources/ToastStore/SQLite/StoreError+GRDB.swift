import GRDB
import ToastCore

extension StoreError {
    /// Maps an error of GRDB or SQLite.
    ///
    /// <https://www.sqlite.org/rescode.html>
    init(_ error: any Error) {
        guard let failure = error as? DatabaseError else {
            self = error as? StoreError ?? .unavailable("The database failed (\(error)).")
            return
        }
        // Without the statement and its values, which may be confidential.
        let number = "SQLite error \(failure.extendedResultCode.rawValue)"
        let what = "\(number): \(failure.message ?? "no message")"
        switch failure.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH:
            self = .corrupt("The database is damaged (\(what)). Restore it from a backup.")
        case .SQLITE_ERROR where failure.message == DatabaseError.unsupportedMessage:
            self = .corrupt("The database is damaged (\(what)). Restore it from a backup.")
        case .SQLITE_FULL:
            // SQLite's message says no more than this one.
            self = .unavailable("The disk is full (\(number)). Free some space; a running server recovers by itself.")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self = .unavailable("The database cannot be written (\(what)). Check its permissions and its mount.")
        case .SQLITE_CANTOPEN:
            self = .unavailable("The database cannot be opened (\(what)). Check its path and permissions.")
        case .SQLITE_IOERR:
            self = .unavailable("The disk fails (\(what)). Check it, its quota and the limits of the process.")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .unavailable("Another program has the database locked (\(what)). End it, then try again.")
        case .SQLITE_MISUSE where failure.message == DatabaseError.closedMessage:
            self = .closed
        default:
            self = .unavailable("The database failed (\(what)).")
        }
    }
}

extension DatabaseError {
    /// GRDB's message when a closed connection is used.
    fileprivate static let closedMessage = "Connection is closed"

    /// SQLite's message about a header with invalid numbers.
    fileprivate static let unsupportedMessage = "unsupported file format"
}
