// Files of pages, asked for with one system call each: every second all of them are looked at.

import CoreFoundation  // Where whole-module builds find what stat is made of.
import Glibc

/// What tells one state of a file from another.
struct FileStamp: Equatable, Sendable {
    /// When it was changed, in nanoseconds since 1970.
    let modified: Int64
    let size: Int
    let node: UInt64

    /// A file that changed so recently may change again within its time stamp's grain, in nanoseconds.
    private static let settleTime: Int64 = 2_000_000_000

    /// Whether a later change would have another stamp.
    var isSettled: Bool { LogCalls.wallClock - self.modified > Self.settleTime }
}

/// What stands under a name.
enum DirectoryEntry: Sendable {
    case file(FileStamp)
    case directory
    /// Leads to the file or directory of another path.
    case link(String)
}

enum PageCalls {
    /// The names in a directory, in no order, without `.` and `..`; none when it cannot be read.
    static func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // RFC 3629: a name that is no UTF-8 is none that a request can have.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Whether a directory can be read.
    static func isDirectory(_ path: String) -> Bool {
        guard let stream = unsafe opendir(path) else { return false }
        unsafe closedir(stream)
        return true
    }

    /// What stands under a path, links not followed; nil when it is nothing that can be served.
    static func entry(at path: String) -> DirectoryEntry? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            return .file(FileStamp(modified: modified, size: Int(status.st_size), node: UInt64(status.st_ino)))
        case S_IFDIR:
            return .directory
        case S_IFLNK:
            guard let resolved = unsafe realpath(path, nil) else { return nil }
            defer { unsafe free(resolved) }
            return unsafe .link(String(cString: resolved))
        default:
            return nil
        }
    }
}
