import ToastHub
import CoreFoundation  // Whole-module builds need it for the types in `stat`.
import Foundation
import ToastCore

/// Identifies a state of a file.
struct FileStamp: Equatable, Sendable {
    /// When it was changed, in nanoseconds since 1970.
    let modified: Int64
    let size: Int
    let node: UInt64

    /// How long after a change, in nanoseconds, another change may leave the time stamp the same.
    private static let settleTime: Int64 = 2_000_000_000

    /// Whether any further change will give another stamp.
    var isSettled: Bool { Instant.wallClock.nanoseconds - self.modified > Self.settleTime }
}

/// What a path names.
enum FileStatus: Equatable, Sendable {
    case file(FileStamp)
    case directory
    case link

    /// What a path names, links not followed; `nil` when it is nothing that can be served.
    ///
    /// One system call, because every second all files of the pages are checked: FileManager looks up names of users
    /// and groups for each.
    init?(of path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            self = .file(FileStamp(modified: modified, size: Int(status.st_size), node: UInt64(status.st_ino)))
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .link
        default: return nil
        }
    }
}
