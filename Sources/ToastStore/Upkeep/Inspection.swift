import Foundation
import GRDB
package import ToastCore

/// The result of a complete check of a database, which a server may be using.
package struct Inspection: Sendable {
    /// The faults, a sentence each; at most ``limit``.
    package private(set) var faults: [String] = []

    /// The number of channels.
    package private(set) var channels = 0

    /// The number of kept events.
    package private(set) var events = 0

    /// The number of waiting deliveries.
    package private(set) var deliveries = 0

    /// The size of the database, in bytes.
    package private(set) var size = 0

    /// The most faults; the check ends when it has found so many.
    package static let limit = 100

    /// Checks a database, and changes nothing in it.
    ///
    /// Takes some seconds for a hundred thousand events. It sees one moment of the database. A server keeps running,
    /// but cannot shorten its log (`-wal`) meanwhile.
    ///
    /// - Throws: `unavailable` when the file cannot be read.
    package init(path: String) throws(StoreError) {
        guard FileManager.default.fileExists(atPath: path) else { throw .unavailable("There is no file \(path).") }
        do {
            try IntegrityCheck.read(path) { try self.look(through: $0) }
        } catch {
            // Damage that SQLite reports is a result; a file that cannot be opened is an error.
            guard case .corrupt(let reason) = StoreError(error) else { throw StoreError(error) }
            self.add(reason)
        }
    }

    private mutating func add(_ fault: String) {
        guard self.faults.count < Self.limit else { return }
        self.faults.append(fault)
    }

    private mutating func look(through database: Database) throws {
        do {
            try Schema.checkOwner(database)
            try Schema.checkVersion(database)
        } catch StoreError.corrupt(let reason) {
            // The file may be sound, but this version cannot read it.
            throw StoreError.unavailable(reason)
        }
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        self.size = pages * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        for fault in try IntegrityCheck.faults(of: database, within: Self.limit, isThorough: true) { self.add(fault) }
        guard self.faults.isEmpty else { return }
        guard let epoch = try Schema.epoch(of: database) else { return self.add("The database names no epoch.") }
        try Schema.readAsBatches(database)
        try self.checkForOrphans(in: database)
        let names = try Row.fetchCursor(database, sql: "SELECT id, name FROM channels ORDER BY id")
        while let row = try names.next(), self.faults.count < Self.limit {
            self.channels += 1
            let (id, text): (Int64, String) = (row[0], row[1])
            guard let name = ChannelName(rawValue: text) else {
                self.add("Channel number \(id) has a name that is none.")
                continue
            }
            do {
                self.events += try Self.countEvents(of: name, epoch, in: database)
            } catch {
                self.add("Channel \(name): \(Self.reason(for: error))")
            }
        }
    }

    /// Looks for rows that belong to nothing; no version of toastd leaves any.
    private mutating func checkForOrphans(in database: Database) throws {
        let tables = ["deliveries", "events", "records", "snapshots", "webhooks"]
        for table in tables where try database.tableExists(table) {
            let (owner, owners) = table == "deliveries" ? ("webhook_id", "webhooks") : ("channel_id", "channels")
            var sql = "FROM \(table) WHERE \(owner) NOT IN (SELECT id FROM \(owners))"
            // A row of events has several, and those of the probe belong to no channel.
            if table == "events" { sql += " AND channel_id <> \(SQLiteWriterSession.probeChannel)" }
            sql = "SELECT \(table == "events" ? "sum(count)" : "count(*)") \(sql)"
            let count = try Int.fetchOne(database, sql: sql) ?? 0
            if count > 0 { self.add("\(count) \(table) belong to nothing.") }
        }
        guard try database.tableExists("deliveries") else { return }
        self.deliveries = try database.deliveryCount()
    }
}

extension Inspection {
    /// Reads a channel as a server does, and also the events that a server would not read.
    private static func countEvents(of name: ChannelName, _ epoch: Epoch, in database: Database) throws -> Int {
        guard let (id, bounds) = try database.channel(name) else { return 0 }
        let sql = "SELECT max(offset) FROM events WHERE channel_id = ?"
        let last = try Int64.fetchOne(database, sql: sql, arguments: [id])
        guard bounds.snapshot.rawValue <= last ?? .max else {
            throw StoreError.corrupt("The snapshot is of event \(bounds.snapshot.rawValue), after the last one.")
        }
        var engine = Engine(channel: name, epoch: epoch)
        if let snapshot = try database.snapshot(of: id) {
            engine = try Engine(channel: name, epoch: epoch, restoring: snapshot.state)
            guard engine.offset == snapshot.offset else {
                throw StoreError.corrupt("The snapshot says that it is of event \(engine.offset.rawValue).")
            }
        }
        guard bounds.first <= bounds.snapshot.next else {
            throw StoreError.corrupt("Events from \(bounds.snapshot.next.rawValue) on are missing.")
        }
        return try Self.fold(from: bounds.first, into: &engine, id, in: database)
    }

    /// Reads all events of a channel one by one, and folds those after the snapshot.
    private static func fold(
        from first: Offset,
        into engine: inout Engine,
        _ id: Int64,
        in database: Database
    ) throws -> Int {
        let rows = try Row.fetchCursor(try database.statement(.events), arguments: [id, 0, Int64.max])
        var (next, count) = (first, 0)
        while let row = try rows.next() {
            let batch = try EventBatchRow(row)
            guard batch.first == next else { throw StoreError.corrupt("Event \(next.rawValue) is missing.") }
            for stored in try batch.events() {
                do {
                    let event = try Event(envelope: stored.envelope)
                    guard event.offset == stored.offset else {
                        throw StoreError.corrupt("it is event \(event.offset.rawValue)")
                    }
                    if event.offset > engine.offset { engine.fold(event) }
                } catch {
                    throw StoreError.corrupt("Event \(stored.offset.rawValue) is invalid: \(Self.reason(for: error))")
                }
            }
            next = batch.last.next
            count += batch.count
        }
        return count
    }

    private static func reason(for error: any Error) -> String {
        guard let error = error as? ValidationError else { return StoreError(error).description }
        return error.issues.first?.detail ?? "unreadable"
    }
}
