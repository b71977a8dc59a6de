import Glibc
import ToastCore

/// Identifies a file independently of its name.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// The system calls that Foundation has no form of.
enum FileSystem {
    /// Renames a file; atomically replaces a file that has the new name.
    ///
    /// Returns 0 or `errno`.
    static func rename(_ old: String, to new: String) -> CInt {
        unsafe Glibc.rename(old, new) == 0 ? 0 : errno
    }

    /// Gives a file another name, unless there is a file of that name; the old name may remain.
    ///
    /// Where the file system has no hard links, as FAT and many network file systems, a file that another process
    /// creates at the same moment is replaced.
    ///
    /// Returns 0 or `errno`.
    static func giveName(_ new: String, to old: String) -> CInt {
        guard unsafe Glibc.link(old, new) != 0 else { return 0 }
        let code = errno
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(code), Self.identity(of: new) == nil else { return code }
        return Self.rename(old, to: new)
    }

    /// Writes a file, or the names in a directory, to the disk: `fsync(2)`.
    ///
    /// Returns 0 or `errno`.
    static func synchronize(_ path: String) -> CInt {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { Glibc.close(descriptor) }
        return fsync(descriptor) == 0 ? 0 : errno
    }

    /// Throws when a call that writes a file has returned an `errno`.
    static func check(_ code: CInt, _ path: String) throws(StoreError) {
        guard code != 0 else { return }
        let reason = unsafe String(cString: strerror(code))
        throw .unavailable("\(path) cannot be written: \(reason).")
    }

    /// The path in a form that SQLite takes for a file: `file:` would begin a URI, and a colon the name of a database
    /// in memory.
    static func plain(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

    /// Opens a file for reading and writing, or creates it for its owner alone.
    ///
    /// An empty file of root's is one that root has just created: it is given to the owner of `other`, a file or
    /// directory of the user that runs the server.
    static func open(_ path: String, ownedLike other: String) throws(StoreError) -> CInt {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.cannotOpen(path) }
        var (file, model) = (stat(), stat())
        if unsafe geteuid() == 0 && fstat(descriptor, &file) == 0 && file.st_size == 0 && file.st_uid == 0
            && stat(other, &model) == 0
        {
            _ = fchown(descriptor, model.st_uid, model.st_gid)
        }
        return descriptor
    }

    static func cannotOpen(_ path: String) -> StoreError {
        .unavailable("The file \(path) cannot be written. Check the permissions of the file and its directory.")
    }

    static func close(_ descriptor: CInt) {
        // close(2) releases the descriptor and its locks even when it reports an error.
        _ = Glibc.close(descriptor)
    }

    /// Removes an incomplete database and the files beside it; with `keepsFile`, only the files beside it.
    static func removeDatabase(_ path: String, keepsFile: Bool = false) {
        let suffixes = ["-wal", "-shm", "-journal", "-lock"] + (keepsFile ? [] : [""])
        for suffix in suffixes { _ = unsafe Glibc.unlink(path + suffix) }
    }

    /// Removes a file, if it is there.
    static func remove(_ path: String) { _ = unsafe Glibc.unlink(path) }

    /// Truncates a file; returns whether it succeeded.
    static func empty(_ descriptor: CInt) -> Bool { ftruncate(descriptor, 0) == 0 }

    /// The file that a path names; nil when there is none.
    static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? FileIdentity(status) : nil
    }

    /// Whether a path names something other than a regular file: a link, a directory, a device, a pipe or a socket.
    static func isIrregular(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// The open file, and how many names (hard links) it has.
    static func status(of descriptor: CInt) -> (identity: FileIdentity, names: Int)? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? (FileIdentity(status), Int(status.st_nlink)) : nil
    }

    /// Locks a file with flock(2); returns whether it succeeded.
    static func lockWhole(_ descriptor: CInt) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Locks one byte of a file for this descriptor.
    ///
    /// False only when another descriptor has the lock, not when the system has no such locks.
    static func lockByte(_ offset: Int64, of descriptor: CInt) -> Bool {
        var lock = flock()
        lock.l_type = CShort(F_WRLCK)
        lock.l_whence = CShort(SEEK_SET)
        lock.l_start = off_t(offset)
        lock.l_len = 1
        guard unsafe fcntl(descriptor, Self.setDescriptorLock, &lock) != 0 else { return true }
        return errno != EAGAIN && errno != EACCES
    }

    /// `F_OFD_SETLK` of fcntl.h, which declares it for GNU programs only.
    private static let setDescriptorLock: CInt = 37

    /// Removes all permissions of a file but its owner's.
    static func protect(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        _ = unsafe chmod(path, status.st_mode & 0o700)
    }
}

extension FileIdentity {
    fileprivate init(_ status: stat) {
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
