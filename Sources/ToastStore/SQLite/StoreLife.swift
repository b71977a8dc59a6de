import Foundation
import GRDB
import ToastCore

/// Which life of a database this is: what its epoch names.
///
/// A commit returns before it is on the disk (``SQLiteStore/Durability/process``), so a power cut can take the last
/// ones, of which consumers have heard. Their offsets are used again then, for other events. So a database says in
/// which boot of the machine it was opened, until it is closed. Whoever finds it open in another boot gives it another
/// epoch; a cursor of the former one is only honoured where the event that it names is still there.
enum StoreLife {
    /// The boot of this machine; one that nobody else has where the system does not tell.
    ///
    /// It is the kernel's, so that containers of one host share it, as they share its memory.
    static let boot = SystemCalls.line(of: "/proc/sys/kernel/random/boot_id") ?? UUID().uuidString

    /// What a copy says instead of a boot: every server that opens one gives it an epoch of its own.
    static let copy = "copy"

    /// Begins or continues a life.
    ///
    /// To be called with `synchronous=FULL`: were the mark lost in a power cut, all behind it would be lost unnoticed.
    ///
    /// - Returns: The epoch, and whether it is another one than before.
    static func begin(in database: Database, boot: String) throws -> (epoch: Epoch, isNew: Bool) {
        guard let row = try Row.fetchOne(database, sql: "SELECT epoch, boot FROM meta"),
            let known = Epoch(rawValue: row[0])
        else { throw StoreError.corrupt("The database names no epoch. Restore it from a backup.") }
        let former: String? = row[1]
        let isNew = former.map { $0 != boot } ?? false
        let epoch = isNew ? Epoch.random() : known
        try database.execute(sql: "UPDATE meta SET epoch = ?, boot = ?", arguments: [epoch.rawValue, boot])
        return (epoch, isNew)
    }

    /// Notes that all is written; a checkpoint has to follow, and if it fails to reach the disk, so does this note.
    static func end(in database: Database) throws {
        try database.execute(sql: "UPDATE meta SET boot = NULL")
    }

    /// Makes a copy another life, and another one for each server that begins with it.
    static func mark(copy: Database) throws {
        try copy.execute(sql: "UPDATE meta SET epoch = ?", arguments: [Epoch.random().rawValue])
        // What an older version wrote is marked when it is brought up to date.
        guard try copy.columns(in: "meta").contains(where: { $0.name == "boot" }) else { return }
        try copy.execute(sql: "UPDATE meta SET boot = ?", arguments: [Self.copy])
    }
}
