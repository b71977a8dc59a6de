import Foundation
package import ToastCore

/// A database that is written as a copy: under another name until it is complete.
package struct CopyFile: Sendable {
    /// The name that the file gets when it is complete.
    package let path: String

    /// The name until then.
    package var draft: String { Backup.draft(of: self.path) }

    /// Prepares a copy to a path where no file is; removes what an unfinished copy has left.
    package init(path: String) throws(StoreError) {
        self.path = path
        guard !FileManager.default.fileExists(atPath: path) else {
            throw .unavailable("There is a file \(path) already. Choose another name, or remove it first.")
        }
        self.remove()
    }

    /// Gives the file its name; to be called after the store in it was closed.
    ///
    /// When this returns, the file is complete and on the disk.
    package func finish() throws(StoreError) {
        // Closing a store writes SQLite's log into the file, and does not report a full disk. Without a log there are
        // no attributes.
        let log = try? FileManager.default.attributesOfItem(atPath: self.draft + "-wal")[.size] as? Int
        guard (log ?? 0) == 0 else {
            throw .unavailable("\(self.path) is not complete, because its log could not be written into it.")
        }
        try FileSystem.check(FileSystem.synchronize(self.draft), self.path)
        // Not a rename, which would replace a file that appeared meanwhile.
        try FileSystem.check(FileSystem.giveName(self.path, to: self.draft), self.path)
        self.remove()
        let directory = URL(fileURLWithPath: self.path).deletingLastPathComponent().path
        try FileSystem.check(FileSystem.synchronize(directory), self.path)
    }

    /// Removes the unfinished file.
    package func remove() {
        FileSystem.removeDatabase(self.draft)
    }
}
