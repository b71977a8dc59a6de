import Foundation
import GRDB
import ToastCore

/// Begins the epochs of a database.
///
/// A commit returns before it is on the disk (``SQLiteStore/Durability/process``), so a power cut can lose the last
/// events though consumers have seen them. Their offsets are then used again for other events. So a database records
/// the boot of the machine in which it is open. If it is found open in another boot, it gets a new epoch; a cursor of
/// the former epoch is accepted only if its event is still there.
enum StoreLife {
    /// The id of this machine's boot; a random one where the system has none.
    ///
    /// The kernel's id: containers of one host share it, as they share its page cache.
    static let boot: String = {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text?.split(separator: "\n").first.map(String.init) ?? UUID().uuidString
    }()

    /// Stands in a copy instead of a boot, so that the first server that opens the copy gives it a new epoch.
    static let copy = "copy"

    /// Begins a new epoch if the database was open in another boot, and records this boot.
    ///
    /// Must be called with `synchronous=FULL`: if a power cut lost the recorded boot, later losses would go unnoticed.
    ///
    /// - Returns: The epoch, and whether it is new.
    static func begin(in database: Database, boot: String) throws -> (epoch: Epoch, isNew: Bool) {
        guard let known = try Schema.epoch(of: database) else {
            throw StoreError.corrupt("The database names no epoch. Restore it from a backup.")
        }
        let former = try String.fetchOne(database, sql: "SELECT boot FROM meta")
        let isNew = former.map { $0 != boot } ?? false
        let epoch = isNew ? Epoch.random() : known
        try database.execute(sql: "UPDATE meta SET epoch = ?, boot = ?", arguments: [epoch.rawValue, boot])
        return (epoch, isNew)
    }

    /// Records that everything was written before the database is closed.
    ///
    /// A checkpoint must follow; if it fails to reach the disk, so does this record.
    static func end(in database: Database) throws {
        try database.execute(sql: "UPDATE meta SET boot = NULL")
    }

    /// Gives a copy a new epoch, and marks it so that the first server that opens it does so again.
    static func mark(copy: Database) throws {
        try copy.execute(sql: "UPDATE meta SET epoch = ?", arguments: [Epoch.random().rawValue])
        // A database of an older version is marked by the migration.
        guard try copy.columns(in: "meta").contains(where: { $0.name == "boot" }) else { return }
        try copy.execute(sql: "UPDATE meta SET boot = ?", arguments: [Self.copy])
    }
}
