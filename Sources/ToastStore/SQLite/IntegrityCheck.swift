import Foundation
import GRDB
import ToastCore

/// The checks before a database is used.
enum IntegrityCheck {
    /// The largest database that is checked completely each time it is opened, in bytes; that takes a few dozen
    /// milliseconds.
    ///
    /// Of a larger one only the header, the length and the schema are read; `toastd store check` does the rest.
    private static let size = 16 << 20

    /// Checks that a file is a readable database of toastd, and changes nothing in it.
    ///
    /// - Throws: `corrupt` when it is not.
    static func look(at path: String) throws {
        // An empty file becomes a new database.
        guard let size = Self.attributes(of: path)[.size] as? Int, size > 0 else { return }
        try Self.read(path) { database in
            try Schema.checkOwner(database)
            try Schema.checkVersion(database)
            guard size <= Self.size, let fault = try Self.faults(of: database, within: 1, isThorough: false).first
            else { return }
            throw StoreError.corrupt("The database is damaged (\(fault)). Restore it from a backup.")
        }
    }

    /// Refuses a file with several names (hard links).
    static func checkNames(_ path: String) throws(StoreError) {
        let count = Self.attributes(of: path)[.referenceCount] as? Int ?? 1
        guard count == 1 else { throw DatabaseFile.hasNames(count, path) }
    }

    /// Refuses a path to something other than a file: SQLite would wait for a pipe without end, and report a directory
    /// as a failing disk.
    static func checkFile(_ path: String) throws(StoreError) {
        switch Self.attributes(of: path)[.type] as? FileAttributeType {
        case nil, .typeRegular: break
        case .typeDirectory: throw .unavailable("It is a directory. Name a file in it.")
        default: throw .unavailable("It is no file.")
        }
    }

    /// The attributes of a file, or of the one that a symbolic link leads to; none when there is no file.
    static func attributes(of path: String) -> [FileAttributeKey: Any] {
        let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // A file that cannot be examined is refused when it is opened, with a better error.
        return (try? FileManager.default.attributesOfItem(atPath: real)) ?? [:]
    }

    /// Opens a database so that it cannot be written.
    static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        try Self.checkFile(path)
        return try DatabaseQueue(path: FileSystem.plain(path), configuration: configuration)
    }

    /// Reads a database on a connection that cannot write.
    static func read<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
        let queue = try Self.open(path)
        let value = try queue.read(body)
        try queue.close()
        return value
    }

    /// The faults that SQLite finds, at most `limit`.
    ///
    /// A thorough check also compares indices with their tables, which takes several times as long.
    static func faults(of database: Database, within limit: Int, isThorough: Bool) throws -> [String] {
        let pragma = isThorough ? "integrity_check" : "quick_check"
        return try String.fetchAll(database, sql: "PRAGMA \(pragma)(\(limit))")
            .flatMap { $0.split(separator: "\n").map(String.init) }
            .filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
    }
}
