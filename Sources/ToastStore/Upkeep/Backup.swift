import Foundation
import GRDB
import Synchronization
package import ToastCore

/// Copies a database, also while a server uses it.
package enum Backup {
    /// Writes a consistent copy of a database to a file.
    ///
    /// When this returns, the file is complete, checked and on the disk; if it throws, there is no file. Later events
    /// are not in the copy, so the server that starts with it gives it a new epoch, and a consumer whose last event is
    /// missing is told to start over.
    ///
    /// Until then the copy is `FILE.partial`. One that a killed process left is overwritten by the next backup of that
    /// name.
    ///
    /// - Returns: What the check of the copy found.
    /// - Throws: `corrupt` when the copy, and so the database, is damaged; `unavailable` when it could not be written.
    package static func write(_ path: String, to file: String, replaces: Bool) throws(StoreError) -> Inspection {
        let files = FileManager.default
        guard files.fileExists(atPath: path) else { throw .unavailable("There is no file \(path).") }
        guard replaces || !files.fileExists(atPath: file) else { throw Self.isThere(file) }
        // If it were replaced, a server that uses it would continue with an unlinked file, and lose what it stores.
        guard !Self.parts(of: path).contains(Self.real(file)) else {
            throw .unavailable("\(file) is the database itself. Choose another name.")
        }
        // The copy would take the place of `/dev/null` or `/dev/stdout` for all programs.
        guard !FileSystem.isIrregular(file) else {
            throw .unavailable("\(file) is not a regular file. Choose another name.")
        }
        let directory = URL(fileURLWithPath: file).deletingLastPathComponent().path
        guard files.fileExists(atPath: directory) else { throw .unavailable("There is no directory \(directory).") }
        let draft = Self.draft(of: file)
        let lock = try Self.lock(draft)
        // A draft that cannot be removed is recognised by its suffix.
        defer {
            FileSystem.removeDatabase(draft)
            lock.unlock()
        }
        do {
            try Self.copy(path, to: draft)
        } catch {
            throw StoreError(error)
        }
        let inspection = try Inspection(path: draft)
        if let fault = inspection.faults.first {
            throw .corrupt("The copy was thrown away, because it is not sound: \(fault)")
        }
        try FileSystem.check(FileSystem.synchronize(draft), draft)
        try Self.rename(draft, to: file, replaces: replaces)
        try FileSystem.check(FileSystem.synchronize(directory), directory)
        return inspection
    }

    /// Removes an unfinished copy and lets no new one begin; for a process that is about to end.
    package static func abandon(_ file: String) {
        self.isAbandoned.withLock { isAbandoned in
            isAbandoned = true
            FileSystem.removeDatabase(self.draft(of: file))
        }
    }

    /// Whether ``abandon(_:)`` was called; locked while a draft is opened, which would create a removed file again.
    private static let isAbandoned = Mutex(false)

    /// The name of a copy until it is finished.
    package static func draft(of file: String) -> String { file + ".partial" }

    /// Creates an empty draft, or truncates one that was left, and locks it.
    private static func lock(_ draft: String) throws(StoreError) -> DatabaseFile {
        let lock: DatabaseFile
        do throws(StoreError) {
            lock = try DatabaseFile(path: draft, isLockedByName: false)
        } catch {
            throw .unavailable("Another backup is being written to \(draft), or nothing can be. \(error)")
        }
        do throws(StoreError) {
            // A draft that was finished meanwhile has been renamed.
            try lock.check()
            try lock.empty()
            FileSystem.removeDatabase(draft, keepsFile: true)
            return lock
        } catch {
            lock.unlock()
            throw error
        }
    }

    /// The files of a database, by their real paths.
    private static func parts(of path: String) -> [String] {
        ["", "-wal", "-shm", "-lock"].map { Self.real(path) + $0 }
    }

    private static func real(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    static func copy(_ path: String, to draft: String) throws {
        let source = try IntegrityCheck.open(path)
        try source.read(Schema.checkOwner)
        try source.read(Schema.checkVersion)
        let copy = try self.isAbandoned.withLock { isAbandoned in
            guard !isAbandoned else { throw StoreError.unavailable("The backup was ended.") }
            return try DatabaseQueue(path: FileSystem.plain(draft))
        }
        let attributes = IntegrityCheck.attributes(of: path)
        for key in [FileAttributeKey.ownerAccountID, .groupOwnerAccountID] {
            // Only root may change the owner; a copy that another user makes belongs to that user.
            try? FileManager.default.setAttributes(attributes.filter { $0.key == key }, ofItemAtPath: draft)
        }
        // All pages in one step, so the copy is of one moment while SQLite's log grows.
        try source.backup(to: copy)
        try source.close()
        try copy.writeWithoutTransaction { database in
            // A single file, without SQLite's log.
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            try StoreLife.mark(copy: database)
        }
        try copy.close()
    }

    private static func rename(_ draft: String, to file: String, replaces: Bool) throws(StoreError) {
        guard !replaces else { return try FileSystem.check(FileSystem.rename(draft, to: file), file) }
        let code = FileSystem.giveName(file, to: draft)
        // Another process created the file meanwhile.
        guard code != EEXIST else { throw Self.isThere(file) }
        try FileSystem.check(code, file)
    }

    private static func isThere(_ file: String) -> StoreError {
        .unavailable("There is a file \(file) already. Choose another name, or say --force.")
    }
}
