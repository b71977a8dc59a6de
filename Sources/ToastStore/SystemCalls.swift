import Glibc

/// Which file it is, whatever its name.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// The system calls of this module.
enum SystemCalls {
    /// Gives a file another name; a file that has it already is gone at that instant.
    ///
    /// Answers 0, or the number of the error.
    static func rename(_ old: String, to new: String) -> CInt {
        unsafe Glibc.rename(old, new) == 0 ? 0 : errno
    }

    /// Gives a file a second name, unless there is a file of that name.
    ///
    /// Answers 0, or the number of the error.
    static func link(_ old: String, to new: String) -> CInt {
        unsafe Glibc.link(old, new) == 0 ? 0 : errno
    }

    /// Returns when a file, or the names in a directory, are on the disk.
    ///
    /// Answers 0, or the number of the error.
    static func synchronize(_ path: String) -> CInt {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { Glibc.close(descriptor) }
        return fsync(descriptor) == 0 ? 0 : errno
    }

    /// What an error's number means.
    static func message(of code: CInt) -> String {
        unsafe String(cString: strerror(code))
    }

    /// A file that may not grow any more is an error of the write that finds out, never the end of the process.
    static func ignoreFileSizeSignal() {
        _ = signal(SIGXFSZ, SIG_IGN)
    }
}

extension SystemCalls {
    /// Opens a file for reading and writing; one that is not there is made, for its owner only.
    static func open(_ path: String) -> CInt? {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        return descriptor >= 0 ? descriptor : nil
    }

    static func close(_ descriptor: CInt) {
        // A descriptor that fails to close is closed all the same, and its locks with it.
        _ = Glibc.close(descriptor)
    }

    /// Makes a file empty; whether it could.
    static func empty(_ descriptor: CInt) -> Bool { ftruncate(descriptor, 0) == 0 }

    /// Which file a path names; nil when it names none.
    static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? FileIdentity(status) : nil
    }

    /// Which file is open, and how many names it has.
    static func status(of descriptor: CInt) -> (identity: FileIdentity, names: Int)? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? (FileIdentity(status), Int(status.st_nlink)) : nil
    }

    /// Locks a file as flock(2) does; whether it could.
    static func lockWhole(_ descriptor: CInt) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Locks one byte of a file for this descriptor; false only when another one has it, not when the system has no such locks.
    static func lockByte(_ offset: Int64, of descriptor: CInt) -> Bool {
        var lock = flock()
        lock.l_type = CShort(F_WRLCK)
        lock.l_whence = CShort(SEEK_SET)
        lock.l_start = off_t(offset)
        lock.l_len = 1
        guard unsafe fcntl(descriptor, Self.setDescriptorLock, &lock) != 0 else { return true }
        return errno != EAGAIN && errno != EACCES
    }

    /// `F_OFD_SETLK` of fcntl.h, which shows it to GNU programs only.
    private static let setDescriptorLock: CInt = 37

    /// Takes the rights to a file from all but its owner.
    static func protect(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        _ = unsafe chmod(path, status.st_mode & 0o700)
    }

    /// The first line of a small file; nil when it cannot be read.
    static func line(of path: String) -> String? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        let line = bytes.prefix(max(count, 0)).prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}

extension FileIdentity {
    fileprivate init(_ status: stat) {
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
