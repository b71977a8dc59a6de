import Foundation
import Glibc

extension AccessFile {
    /// The owner and the readers of a written file.
    package struct Ownership: Equatable, Sendable {
        /// The user that the file belongs to, by name or else by number.
        package let owner: String

        /// Whether only that user, and root, can read it.
        package let isPrivate: Bool

        /// The user that the file's directory belongs to.
        package let directoryOwner: String
    }

    /// Runs `body` while no other process does so with the same path; creates the directory if it is missing.
    ///
    /// The lock (flock(2)) is on the directory, because each write replaces the file. Where the file system has no
    /// locks, as some network file systems have none, `body` runs without one.
    ///
    /// - Throws: What `body` throws; `unreadable` when another process has had the lock for ten seconds.
    package static func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        let directory = try Self.makeDirectory(of: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        var attempts = 0
        while descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            attempts += 1
            guard attempts < 100 else {
                throw AccessError.unreadable(path, "another process has locked its directory \(directory) (flock)")
            }
            usleep(100_000)
        }
        return try body()
    }

    /// Creates the directory of a file, if it is missing, with permissions for its owner only.
    private static func makeDirectory(of path: String) throws(AccessError) -> String {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            // Does nothing when the directory exists.
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .unreadable(path, "its directory \(directory) is not there and cannot be made")
        }
        return directory
    }

    /// Writes the file atomically, creates its directory if it is missing, and returns who can read the file.
    ///
    /// A replaced file keeps its mode and, if root replaces it, its owner and group. Only its owner can read a new
    /// file. If root creates it, it gets the owner of its directory, because that user runs the server. The file behind
    /// a symbolic link is replaced, not the link.
    @discardableResult
    package func write(to path: String) throws(AccessError) -> Ownership {
        let files = FileManager.default
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let directory = try Self.makeDirectory(of: path)
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .iso8601
            let data = try encoder.encode(self)
            let old = files.fileExists(atPath: path) ? try files.attributesOfItem(atPath: path) : nil
            let home = try files.attributesOfItem(atPath: directory)
            let temporary = path + ".new"
            guard files.createFile(atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw AccessFileError("cannot be written; nothing can be made in \(directory)")
            }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: temporary))
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            try Self.hand(temporary, to: old ?? home, mode: old?[.posixPermissions])
            // rename(2), because Foundation's `replaceItemAt` removes the old file first, and on Linux loses both files
            // when anything is in its way.
            guard unsafe rename(temporary, path) == 0 else {
                throw AccessFileError("cannot be written; something else is in its place")
            }
            return Self.ownership(of: try files.attributesOfItem(atPath: path), in: home)
        } catch {
            throw .unreadable(path, Self.reason(error, of: path))
        }
    }

    /// Gives a file a mode and, if this process is root's, the owner and group of another file.
    private static func hand(_ path: String, to other: [FileAttributeKey: Any], mode: Any?) throws {
        var attributes: [FileAttributeKey: Any] = [:]
        if geteuid() == 0 {
            attributes[.ownerAccountID] = other[.ownerAccountID]
            attributes[.groupOwnerAccountID] = other[.groupOwnerAccountID]
        }
        // After the owner, because chown(2) may clear bits of the mode.
        if !attributes.isEmpty { try FileManager.default.setAttributes(attributes, ofItemAtPath: path) }
        if let mode { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path) }
    }

    private static func ownership(
        of file: [FileAttributeKey: Any],
        in directory: [FileAttributeKey: Any]
    ) -> Ownership {
        func name(_ attributes: [FileAttributeKey: Any]) -> String {
            if let name = attributes[.ownerAccountName] as? String { return name }
            return (attributes[.ownerAccountID] as? NSNumber).map { "user \($0)" } ?? "an unknown user"
        }
        let mode = (file[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return Ownership(owner: name(file), isPrivate: mode & 0o044 == 0, directoryOwner: name(directory))
    }
}
