import Foundation
import Synchronization
import ToastCore

/// The file of a database, locked for one store in one process, whatever name it was opened by.
///
/// SQLite would let a second store write between two transactions, and the cached bounds of channels would be wrong. A
/// lock on a name is not enough: a symbolic link is another name, and `PATH-lock` can be removed. So the lock is on a
/// byte of the database itself that SQLite never touches. It belongs to the descriptor (fcntl(2), "Open file
/// description locks"), so the kernel releases it when the process dies for any reason.
///
/// `PATH-lock` is locked as well, because older versions know no other lock and some systems have no locks of that
/// kind.
///
/// Closing any descriptor of a database drops the locks that SQLite has on it in this process
/// (<https://www.sqlite.org/howtocorrupt.html> §2.2). So the files that this process has locked are checked before the
/// file is opened, and ``unlock()`` is called after SQLite has closed it.
final class DatabaseFile: Sendable {
    /// The databases that this process has locked.
    private static let locked = Mutex<Set<FileIdentity>>([])

    private let path: String
    private let log: String
    private let identity: FileIdentity
    /// SQLite's log (`-wal`), once it exists.
    private let logIdentity = Mutex<FileIdentity?>(nil)
    private let descriptors: Mutex<[CInt]>

    /// Opens and locks the database at `path`, and `PATH-lock` as well if it is locked by name; creates an empty file
    /// that only its owner can read and write.
    ///
    /// What root creates belongs to the owner of the database, or of its directory.
    ///
    /// - Throws: `unavailable` when another store has it, when it cannot be written, or when it has several names.
    init(path: String, isLockedByName: Bool = true) throws(StoreError) {
        self.path = path
        self.log = URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "-wal"
        let home = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var descriptors: [CInt] = []
        do throws(StoreError) {
            if isLockedByName {
                let model = FileSystem.identity(of: path) == nil ? home : path
                let lock = try FileSystem.open(path + "-lock", ownedLike: model)
                descriptors.append(lock)
                guard FileSystem.lockWhole(lock) else { throw Self.isTaken }
            }
            self.identity = try Self.locked.withLock { locked throws(StoreError) in
                if let known = FileSystem.identity(of: path), locked.contains(known) { throw Self.isTaken }
                let database = try FileSystem.open(path, ownedLike: home)
                descriptors.append(database)
                guard FileSystem.lockByte(Self.lockedByte, of: database) else { throw Self.isTaken }
                guard let (identity, names) = FileSystem.status(of: database) else { throw FileSystem.cannotOpen(path) }
                guard names == 1 else { throw Self.hasNames(names, path) }
                locked.insert(identity)
                return identity
            }
        } catch {
            for descriptor in descriptors { FileSystem.close(descriptor) }
            throw error
        }
        self.descriptors = Mutex(descriptors)
    }

    /// Makes the directory of a database if it is missing.
    static func makeDirectory(of path: String) throws(StoreError) {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        } catch {
            throw .unavailable("The directory of \(path) cannot be made: \(error.localizedDescription)")
        }
    }

    /// Lets only the owner read and write the files, because they hold secrets.
    ///
    /// SQLite gives the files that it creates the mode of the database.
    func protect() {
        // Files of another user stay as they are; chmod(2) fails for them.
        for suffix in ["", "-wal", "-shm", "-lock"] { FileSystem.protect(self.path + suffix) }
    }

    /// Remembers SQLite's log, which exists from the first transaction until the database is closed.
    func noteLog() {
        let identity = FileSystem.identity(of: self.log)
        self.logIdentity.withLock { $0 = identity }
    }

    /// Checks that the files still have their names, so that what is written can be found again.
    ///
    /// Two system calls, so each transaction can afford it.
    ///
    /// - Throws: `unavailable` when the database or SQLite's log was removed or replaced; what is written then would be
    ///   lost with the process.
    func check() throws(StoreError) {
        guard FileSystem.identity(of: self.path) == self.identity else { throw Self.isGone(self.path) }
        guard let known = self.logIdentity.withLock({ $0 }) else { return }
        guard FileSystem.identity(of: self.log) == known else { throw Self.isGone(self.log) }
    }

    /// Truncates the file, before SQLite opens it.
    func empty() throws(StoreError) {
        guard let descriptor = self.descriptors.withLock({ $0.last }), FileSystem.empty(descriptor) else {
            throw FileSystem.cannotOpen(self.path)
        }
    }

    /// Releases the locks; idempotent.
    func unlock() {
        let descriptors = self.descriptors.withLock { descriptors in
            defer { descriptors = [] }
            return descriptors
        }
        guard !descriptors.isEmpty else { return }
        _ = Self.locked.withLock { $0.remove(self.identity) }
        for descriptor in descriptors { FileSystem.close(descriptor) }
    }

    /// Far past the bytes that SQLite locks (1 GiB, <https://www.sqlite.org/fileformat2.html#the_lock_byte_page>) and
    /// past the largest database.
    private static let lockedByte: Int64 = 1 << 62

    private static let isTaken = StoreError.unavailable(
        "Another toastd has this database open. End it, or choose another path for the store."
    )

    static func hasNames(_ count: Int, _ path: String) -> StoreError {
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
