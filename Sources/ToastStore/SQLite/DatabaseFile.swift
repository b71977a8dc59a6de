import Foundation
import Synchronization
import ToastCore

/// The file of a database, locked for one store in one process: by what it is, under whichever name it was opened.
///
/// SQLite would let a second store in between two transactions, and its memory of where the channels stand would be
/// wrong. A name alone is no lock: a symbolic link is another one, and `PATH-lock` can be removed. So the lock is on a
/// byte of the database itself that SQLite never touches. It belongs to the descriptor
/// (fcntl(2), "Open file description locks"), so the kernel releases it when the process dies, however it dies.
///
/// `PATH-lock` is locked too: older versions know no other lock, and some systems have no locks of that kind.
///
/// To close any descriptor of a database drops the locks that SQLite has on it in this process
/// (<https://www.sqlite.org/howtocorrupt.html> §2.2). So what this process has locked is found out before the file is opened,
/// and ``unlock()`` comes behind the closing of SQLite.
final class DatabaseFile: Sendable {
    /// The databases that this process has locked.
    private static let locked = Mutex<Set<FileIdentity>>([])

    private let path: String
    private let log: String
    private let identity: FileIdentity
    /// The log (`-wal`), once SQLite has made it.
    private let logIdentity = Mutex<FileIdentity?>(nil)
    private let descriptors: Mutex<[CInt]>

    /// Opens and locks the database at `path`; an empty file is made where there is none, for its owner only.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - isLockedByName: Whether `PATH-lock` is made and locked, too.
    /// - Throws: `unavailable` when another store has it, when it cannot be written, or when it has several names.
    init(path: String, isLockedByName: Bool = true) throws(StoreError) {
        self.path = path
        self.log = URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "-wal"
        var descriptors: [CInt] = []
        do throws(StoreError) {
            if isLockedByName {
                let lock = try Self.open(path + "-lock")
                descriptors.append(lock)
                guard SystemCalls.lockWhole(lock) else { throw Self.isTaken }
            }
            self.identity = try Self.locked.withLock { locked throws(StoreError) in
                if let known = SystemCalls.identity(of: path), locked.contains(known) { throw Self.isTaken }
                let database = try Self.open(path)
                descriptors.append(database)
                guard SystemCalls.lockByte(Self.lockedByte, of: database) else { throw Self.isTaken }
                guard let (identity, names) = SystemCalls.status(of: database) else { throw Self.cannotOpen(path) }
                guard names == 1 else { throw Self.hasNames(names, path) }
                locked.insert(identity)
                return identity
            }
        } catch {
            for descriptor in descriptors { SystemCalls.close(descriptor) }
            throw error
        }
        self.descriptors = Mutex(descriptors)
    }

    /// Lets only their owner read and write the files, because secrets are in them.
    ///
    /// SQLite gives those that it makes the mode of the database.
    func protect() {
        // Somebody else's files, which this process may write all the same, stay as they are.
        for suffix in ["", "-wal", "-shm", "-lock"] { SystemCalls.protect(self.path + suffix) }
    }

    /// Remembers the log, which is there from the first transaction until the database is closed.
    func noteLog() {
        let identity = SystemCalls.identity(of: self.log)
        self.logIdentity.withLock { $0 = identity }
    }

    /// Makes sure that what is written is found again: the files still have their names.
    ///
    /// Two system calls, so each transaction can afford it.
    ///
    /// - Throws: `unavailable` when the database or its log was removed or replaced; what is written then would be lost with the process.
    func check() throws(StoreError) {
        guard SystemCalls.identity(of: self.path) == self.identity else { throw Self.isGone(self.path) }
        guard let known = self.logIdentity.withLock({ $0 }) else { return }
        guard SystemCalls.identity(of: self.log) == known else { throw Self.isGone(self.log) }
    }

    /// Takes everything out of the file, before SQLite opens it.
    func empty() throws(StoreError) {
        guard let descriptor = self.descriptors.withLock({ $0.last }), SystemCalls.empty(descriptor) else {
            throw Self.cannotOpen(self.path)
        }
    }

    /// Lets the next one in; idempotent.
    func unlock() {
        let descriptors = self.descriptors.withLock { descriptors in
            defer { descriptors = [] }
            return descriptors
        }
        guard !descriptors.isEmpty else { return }
        _ = Self.locked.withLock { $0.remove(self.identity) }
        for descriptor in descriptors { SystemCalls.close(descriptor) }
    }

    /// Far behind the bytes that SQLite locks (1 GiB, <https://www.sqlite.org/fileformat2.html#the_lock_byte_page>)
    /// and behind all that a database can hold.
    private static let lockedByte: Int64 = 1 << 62

    private static func open(_ path: String) throws(StoreError) -> CInt {
        guard let descriptor = SystemCalls.open(path) else { throw Self.cannotOpen(path) }
        return descriptor
    }

    private static func cannotOpen(_ path: String) -> StoreError {
        .unavailable("The file \(path) cannot be written. Check the permissions of the file and its directory.")
    }

    private static let isTaken = StoreError.unavailable(
        "Another toastd has this database open. End it, or choose another path for the store."
    )

    private static func hasNames(_ count: Int, _ path: String) -> StoreError {
        .unavailable(
            """
            The file \(path) has \(count) names (hard links), but what a killed server has left to be read again belongs to one of \
            them. Remove the others: find DIRECTORY -samefile \(path).
            """
        )
    }

    private static func isGone(_ path: String) -> StoreError {
        .unavailable(
            """
            The file \(path) was removed or replaced while the server runs, so what is stored now would be lost. Put it back, or \
            stop the server and start it with what is there.
            """
        )
    }
}
