import Glibc

/// The system calls that Foundation has no safe form of.
enum SystemCalls {
    /// Whether this process may give files to others.
    static var isRoot: Bool { geteuid() == 0 }

    /// Puts a file in another's place, at once and whole: `rename(2)`.
    ///
    /// Foundation's `replaceItemAt` removes the old file first, and on Linux loses both when anything is in its way.
    ///
    /// - Returns: Whether it was done.
    static func rename(_ path: String, to other: String) -> Bool {
        unsafe Glibc.rename(path, other) == 0
    }
}
