import Foundation
import Synchronization
package import ToastCore

/// A database that is written as a copy: under another name until it is complete.
///
/// `FILE.partial-copy` is locked meanwhile, because the store in the draft is locked only while it is open.
package final class CopyFile: Sendable {
    /// The name that the file gets when it is complete.
    package let path: String

    /// The name until then.
    package var draft: String { Backup.draft(of: self.path) }

    /// The descriptor of the locked file, until the copy is finished or removed.
    private let descriptor: Mutex<CInt?>

    /// Prepares a copy to a path where no file is; removes what an unfinished copy has left.
    ///
    /// - Throws: `unavailable` when there is a file, or another command writes one of that name.
    package init(path: String) throws(StoreError) {
        self.path = path
        try Self.checkIsFree(path)
        try DatabaseFile.makeDirectory(of: path)
        self.descriptor = Mutex(try Self.lock(path))
        do throws(StoreError) {
            // The command that had the lock before may have finished its copy.
            try Self.checkIsFree(path)
            try self.clear()
        } catch {
            self.unlock()
            throw error
        }
    }

    private static func checkIsFree(_ path: String) throws(StoreError) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw .unavailable("There is a file \(path) already. Choose another name, or remove it first.")
        }
    }

    private static func lockName(of path: String) -> String { Backup.draft(of: path) + "-copy" }

    /// Locks the name of a copy; returns the descriptor that has the lock.
    private static func lock(_ path: String) throws(StoreError) -> CInt {
        let name = Self.lockName(of: path)
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = try FileSystem.open(name, ownedLike: directory)
        // The command that had the lock removes the file, so the one that was opened may have lost its name.
        guard FileSystem.lockWhole(descriptor),
            let (identity, _) = FileSystem.status(of: descriptor), identity == FileSystem.identity(of: name)
        else {
            FileSystem.close(descriptor)
            throw .unavailable("Another command is writing a copy to \(path). Wait for it, or choose another name.")
        }
        return descriptor
    }

    /// Removes the draft that an unfinished copy has left.
    private func clear() throws(StoreError) {
        let file: DatabaseFile
        do throws(StoreError) {
            file = try DatabaseFile(path: self.draft, isLockedByName: false)
        } catch {
            throw .unavailable("A backup is being written to \(self.draft), or nothing can be. \(error)")
        }
        FileSystem.removeDatabase(self.draft)
        file.unlock()
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

    /// Removes the unfinished file; does nothing after it was finished or removed.
    package func remove() {
        self.unlock { FileSystem.removeDatabase(self.draft) }
    }

    /// Ends the use of the name, after a last step; does nothing when it has ended.
    private func unlock(after step: () -> Void = {}) {
        self.descriptor.withLock { descriptor in
            guard let locked = descriptor else { return }
            step()
            FileSystem.remove(Self.lockName(of: self.path))
            FileSystem.close(locked)
            descriptor = nil
        }
    }
}
