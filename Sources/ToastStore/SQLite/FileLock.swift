import Foundation
import Glibc
import Synchronization
import ToastCore

/// The right to be the one process, and the one store in it, that writes a database.
///
/// SQLite would let a second one in between two transactions, and its memory of where the channels stand would be
/// wrong. The lock lies on a file of its own: closing any descriptor of the database itself would drop SQLite's locks
/// (<https://www.sqlite.org/howtocorrupt.html> §2.2). The kernel releases it when the process dies, however it dies.
final class FileLock: Sendable {
    private let file: Mutex<FileHandle?>

    /// Locks `path`, which is created if need be and stays when the lock is gone.
    init(path: String) throws(StoreError) {
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        guard let file = FileHandle(forUpdatingAtPath: path) else {
            throw .unavailable("The file \(path) cannot be written. Check the permissions of its directory.")
        }
        guard flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .unavailable("Another toastd has this database open. End it, or choose another path for the store.")
        }
        self.file = Mutex(file)
    }

    /// Lets the next one in; idempotent.
    func unlock() {
        // A descriptor that fails to close is closed all the same, and its lock with it.
        self.file.withLock { file in
            try? file?.close()
            file = nil
        }
    }
}
