import Foundation
import GRDB
public import ToastCore

/// Copies of a database, made while a server works with it.
public enum Backup {
    /// Writes a copy of a database, as it is at one moment, to a file of its own.
    ///
    /// The file is there whole, sound and on the disk when this returns, or not at all. It has another epoch than
    /// the database: what happens behind the copy is not in it, so that a server that goes on from it must tell
    /// every consumer to start over, wherever its cursor stands.
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
        let draft = "\(file).\(ProcessInfo.processInfo.processIdentifier).partial"
        // What fails to be removed is named by its suffix for what it is.
        defer { for suffix in ["", "-wal", "-shm", "-journal"] { try? files.removeItem(atPath: draft + suffix) } }
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

    /// The files that a database is in, by their real names.
    private static func parts(of path: String) -> [String] {
        ["", "-wal", "-shm", "-lock"].map { Self.real(path) + $0 }
    }

    private static func real(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    private static func copy(_ path: String, to draft: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        var reading = configuration
        reading.readonly = true
        let source = try DatabaseQueue(path: path, configuration: reading)
        try source.read(Schema.checkOwner)
        try source.read(Schema.checkVersion)
        let copy = try DatabaseQueue(path: draft, configuration: configuration)
        // It holds secrets, so it is nobody's business whose the database is not.
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let kept: [FileAttributeKey] = [.posixPermissions, .ownerAccountID, .groupOwnerAccountID]
        for key in kept {
            // Only root may give a file away; for others the copy is their own, as they would expect.
            try? FileManager.default.setAttributes(attributes.filter { $0.key == key }, ofItemAtPath: draft)
        }
        // All pages in one step: a copy of one moment, while the server's log grows.
        try source.backup(to: copy)
        try source.close()
        try copy.writeWithoutTransaction { database in
            let epoch = Epoch.random()
            // One file that is whole by itself.
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            try database.execute(sql: "UPDATE meta SET epoch = ?", arguments: [epoch.rawValue])
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
