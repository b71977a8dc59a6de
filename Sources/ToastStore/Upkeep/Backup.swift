import Foundation
import GRDB
import Synchronization
public import ToastCore

/// Copies of a database, made while a server works with it.
public enum Backup {
    /// Writes a copy of a database, as it is at one moment, to a file of its own.
    ///
    /// The file is there whole, sound and on the disk when this returns, or not at all. What happens behind the copy is not
    /// in it, so each server that goes on from it gives it another epoch, and a consumer whose last event is not there
    /// is told to start over.
    ///
    /// Until then it is `FILE.partial`. One that is left behind by a process that was killed is overwritten by the next
    /// backup of that name.
    ///
    /// - Parameters:
    ///   - path: Where the database is.
    ///   - file: Where the copy shall be.
    ///   - replaces: Whether a file that is there already may go.
    /// - Returns: What the copy holds.
    /// - Throws: `corrupt` when the copy is not sound, and so the database is not; `unavailable` when it could not be
    ///   made.
    public static func write(_ path: String, to file: String, replaces: Bool) throws(StoreError) -> Inspection {
        let files = FileManager.default
        guard files.fileExists(atPath: path) else { throw .unavailable("There is no file \(path).") }
        guard replaces || !files.fileExists(atPath: file) else { throw Self.isThere(file) }
        // A server that works with it would go on with a file that has no name any more, and lose what it takes.
        guard !Self.parts(of: path).contains(Self.real(file)) else {
            throw .unavailable("\(file) is the database itself. Choose another name.")
        }
        let draft = Self.draft(of: file)
        let lock = try Self.lock(draft)
        // What fails to be removed is named by its suffix for what it is.
        defer {
            Self.removeDraft(of: file)
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
        try Self.check(SystemCalls.synchronize(draft), draft)
        try Self.give(draft, the: file, replaces: replaces)
        let directory = URL(fileURLWithPath: file).deletingLastPathComponent().path
        try Self.check(SystemCalls.synchronize(directory), directory)
        return inspection
    }

    /// Removes what was written so far of a copy, and lets none begin; for a process that has to end in the middle of it.
    public static func abandon(_ file: String) {
        self.isAbandoned.withLock { isAbandoned in
            isAbandoned = true
            self.removeDraft(of: file)
        }
    }

    /// Held while a draft is opened, because that would make a file that has just been removed anew.
    private static let isAbandoned = Mutex(false)

    private static func removeDraft(of file: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: Self.draft(of: file) + suffix)
        }
    }

    /// What a copy is called until it is finished.
    public static func draft(of file: String) -> String { file + ".partial" }

    /// Makes an empty draft, or empties one that was left behind, and lets nobody else write to it.
    private static func lock(_ draft: String) throws(StoreError) -> DatabaseFile {
        let lock: DatabaseFile
        do throws(StoreError) {
            lock = try DatabaseFile(path: draft, isLockedByName: false)
        } catch {
            throw .unavailable("Another backup is being written to \(draft), or nothing can be. \(error)")
        }
        do throws(StoreError) {
            // One that was finished meanwhile has its own name now.
            try lock.check()
            try lock.empty()
            for suffix in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: draft + suffix) }
            return lock
        } catch {
            lock.unlock()
            throw error
        }
    }

    /// The files that a database is in, by their real names.
    private static func parts(of path: String) -> [String] {
        ["", "-wal", "-shm", "-lock"].map { Self.real(path) + $0 }
    }

    private static func real(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    static func copy(_ path: String, to draft: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        var reading = configuration
        reading.readonly = true
        let source = try DatabaseQueue(path: path, configuration: reading)
        try source.read(Schema.checkOwner)
        try source.read(Schema.checkVersion)
        let copy = try self.isAbandoned.withLock { isAbandoned in
            guard !isAbandoned else { throw StoreError.unavailable("The backup was ended.") }
            return try DatabaseQueue(path: draft, configuration: configuration)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        for key in [FileAttributeKey.ownerAccountID, .groupOwnerAccountID] {
            // Only root may give a file away; for others the copy is their own, as they would expect.
            try? FileManager.default.setAttributes(attributes.filter { $0.key == key }, ofItemAtPath: draft)
        }
        // All pages in one step: a copy of one moment, while the server's log grows.
        try source.backup(to: copy)
        try source.close()
        try copy.writeWithoutTransaction { database in
            // One file that is whole by itself.
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            try StoreLife.mark(copy: database)
        }
        try copy.close()
    }

    /// Lets the finished copy appear under its name.
    private static func give(_ draft: String, the file: String, replaces: Bool) throws(StoreError) {
        guard !replaces else { return try Self.check(SystemCalls.rename(draft, to: file), file) }
        let code = SystemCalls.link(draft, to: file)
        // Someone else made one meanwhile.
        guard code != EEXIST else { throw Self.isThere(file) }
        try Self.check(code, file)
    }

    private static func check(_ code: CInt, _ path: String) throws(StoreError) {
        guard code != 0 else { return }
        throw .unavailable("\(path) cannot be written: \(SystemCalls.message(of: code)).")
    }

    private static func isThere(_ file: String) -> StoreError {
        .unavailable("There is a file \(file) already. Choose another name, or say --force.")
    }
}
