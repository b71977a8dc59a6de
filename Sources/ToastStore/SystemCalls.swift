import Glibc

/// The system calls of this module.
///
/// Each answers 0, or the number of its error.
enum SystemCalls {
    /// Gives a file another name; a file that has it already is gone at that instant.
    static func rename(_ old: String, to new: String) -> CInt {
        unsafe Glibc.rename(old, new) == 0 ? 0 : errno
    }

    /// Gives a file a second name, unless there is a file of that name.
    static func link(_ old: String, to new: String) -> CInt {
        unsafe Glibc.link(old, new) == 0 ? 0 : errno
    }

    /// Returns when a file, or the names in a directory, are on the disk.
    static func synchronize(_ path: String) -> CInt {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
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
