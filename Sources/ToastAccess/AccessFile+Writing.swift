import Foundation

extension AccessFile {
    /// Who can read a file that was written.
    public struct Ownership: Equatable, Sendable {
        /// The user that the file belongs to, by name or else by number.
        public let owner: String

        /// Whether only that user, and root, can read it.
        public let isPrivate: Bool

        /// The user that the file's directory belongs to.
        public let directoryOwner: String
    }

    /// Writes the file so that it is there whole or not at all, and makes its directory if it is not there.
    ///
    /// A file that is replaced keeps its owner, group and mode. A new file can be read by its owner only. When root makes it,
    /// it gets the owner of its directory, because that user runs the server.
    ///
    /// - Returns: Whom the file belongs to.
    /// - Throws: Why it cannot be written, in a sentence.
    @discardableResult
    public func write(to path: String) throws(AccessError) -> Ownership {
        let files = FileManager.default
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            // Does nothing when it is there.
            try files.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .unreadable(path, "its directory \(directory) is not there and cannot be made")
        }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .iso8601
            let data = try encoder.encode(self)
            let old = files.fileExists(atPath: path) ? try files.attributesOfItem(atPath: path) : nil
            let home = try files.attributesOfItem(atPath: directory)
            let temporary = path + ".new"
            guard files.createFile(atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw AccessFileFault("cannot be written; nothing can be made in \(directory)")
            }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: temporary))
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            try Self.hand(temporary, to: old ?? home, mode: old?[.posixPermissions])
            guard SystemCalls.rename(temporary, to: path) else {
                throw AccessFileFault("cannot be written; something else is in its place")
            }
            return Self.ownership(of: try files.attributesOfItem(atPath: path), in: home)
        } catch {
            throw .unreadable(path, Self.reason(error, of: path))
        }
    }

    /// Gives a file to the owner of another; only root can.
    private static func hand(_ path: String, to other: [FileAttributeKey: Any], mode: Any?) throws {
        var attributes: [FileAttributeKey: Any] = [:]
        if SystemCalls.isRoot {
            attributes[.ownerAccountID] = other[.ownerAccountID]
            attributes[.groupOwnerAccountID] = other[.groupOwnerAccountID]
        }
        // After the owner: chown(2) may take bits of the mode away.
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
