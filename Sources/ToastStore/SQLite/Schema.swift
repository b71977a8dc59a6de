import GRDB
import ToastCore

/// The tables of the store, and the checks that a file is a store.
///
/// Events are stored in the order of arrival, whatever their channel: an append touches the last page of the table and
/// a page of a narrow index. Ordered by channel, it would touch a page of 4 KiB for each event, which costs more than
/// twice as much when many channels are busy (docs/store.md has the figures). A row holds an ``EventBatchRow`` under
/// the offset of its last event, so the events after a cursor begin in the first row whose offset is greater.
enum Schema {
    /// `application_id` of toastd's files: "Tost". <https://www.sqlite.org/pragma.html#pragma_application_id>
    static let applicationID: Int32 = 0x546F_7374

    /// Creates and changes the tables.
    ///
    /// Migrations are only ever added at the end.
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: channels, events, snapshots, records") { database in
            try database.execute(sql: Self.first)
            try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            let epoch = Epoch.random()
            try database.execute(sql: "INSERT INTO meta (epoch) VALUES (?)", arguments: [epoch.rawValue])
        }
        migrator.registerMigration("catalogs") { database in
            try database.execute(sql: Self.documents("catalogs", by: "language"))
        }
        migrator.registerMigration("webhooks") { try $0.execute(sql: Self.webhooks) }
        // The highest offset of all channels that were forgotten: new channels begin after it.
        migrator.registerMigration("floor") { database in
            try database.execute(sql: "ALTER TABLE meta ADD COLUMN floor INTEGER NOT NULL DEFAULT 0")
        }
        // Events that were appended at one instant share a row.
        migrator.registerMigration("runs") { database in
            try database.execute(sql: "ALTER TABLE events ADD COLUMN count INTEGER NOT NULL DEFAULT 1")
        }
        // The boot in which the database was opened; NULL after it was closed. How an older version ended is unknown.
        migrator.registerMigration("boot") { database in
            try database.execute(sql: "ALTER TABLE meta ADD COLUMN boot TEXT")
            try database.execute(sql: "UPDATE meta SET boot = 'unknown'")
        }
        // The principals that sent an idempotency key and that set a webhook.
        migrator.registerMigration("owners") { try $0.execute(sql: Self.owners) }
        // The outcome of the toast of an idempotency key.
        migrator.registerMigration("outcomes") { try $0.execute(sql: Self.outcomes) }
        // Documents that belong to no channel, such as the defaults of channels.
        migrator.registerMigration("documents") { try $0.execute(sql: Self.documents("documents", by: "name")) }
        return migrator
    }()

    private static let first = """
        CREATE TABLE meta (
            epoch TEXT NOT NULL
        ) STRICT;

        CREATE TABLE channels (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE
        ) STRICT;

        -- The last offset of a channel is that of its last event or of its snapshot: stored once, it cannot disagree.
        CREATE TABLE events (
            id INTEGER PRIMARY KEY,
            channel_id INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            at INTEGER NOT NULL,
            envelope BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX events_by_channel ON events (channel_id, offset);

        CREATE TABLE snapshots (
            channel_id INTEGER PRIMARY KEY,
            offset INTEGER NOT NULL,
            state BLOB NOT NULL
        ) STRICT;

        CREATE TABLE records (
            channel_id INTEGER NOT NULL,
            key TEXT NOT NULL,
            at INTEGER NOT NULL,
            fingerprint BLOB NOT NULL,
            response BLOB NOT NULL,
            PRIMARY KEY (channel_id, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX records_by_age ON records (at);
        """

    private static let webhooks = """
        CREATE TABLE webhooks (
            id INTEGER PRIMARY KEY,
            channel_id INTEGER NOT NULL,
            position INTEGER NOT NULL,
            url TEXT NOT NULL,
            -- Types of events with a comma between them.
            events TEXT NOT NULL,
            secret BLOB NOT NULL,
            enabled INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX webhooks_by_url ON webhooks (channel_id, url);
        CREATE INDEX webhooks_by_position ON webhooks (channel_id, position);

        -- A number is never used twice, so that one that was settled late settles no other.
        CREATE TABLE deliveries (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            webhook_id INTEGER NOT NULL,
            message TEXT NOT NULL,
            at INTEGER NOT NULL,
            due INTEGER NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0,
            payload BLOB NOT NULL
        ) STRICT;
        CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id);
        CREATE INDEX deliveries_by_due ON deliveries (due);
        """
}

extension Schema {
    /// A table of few rows, read once when the server starts.
    private static func documents(_ table: String, by key: String) -> String {
        "CREATE TABLE \(table) (\(key) TEXT PRIMARY KEY, document BLOB NOT NULL) STRICT, WITHOUT ROWID"
    }

    /// Records of an older version have no owner: every principal that sends the key finds them until they expire.
    private static let owners = """
        CREATE TABLE owned_records (
            channel_id INTEGER NOT NULL,
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            at INTEGER NOT NULL,
            fingerprint BLOB NOT NULL,
            response BLOB NOT NULL,
            PRIMARY KEY (channel_id, owner, key)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO owned_records SELECT channel_id, '', key, at, fingerprint, response FROM records;
        DROP TABLE records;
        ALTER TABLE owned_records RENAME TO records;
        CREATE INDEX records_by_age ON records (at);
        CREATE INDEX records_by_owner ON records (channel_id, owner, at);

        ALTER TABLE webhooks ADD COLUMN owner TEXT NOT NULL DEFAULT '';
        CREATE INDEX deliveries_by_turn ON deliveries (webhook_id, due);
        """

    /// Records of an older version name no toast and have no outcome.
    private static let outcomes = """
        ALTER TABLE records ADD COLUMN toast TEXT;
        ALTER TABLE records ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE records ADD COLUMN outcome BLOB;
        CREATE INDEX records_by_toast ON records (channel_id, ended, toast) WHERE toast IS NOT NULL;
        """

    /// Refuses the file of another program before anything is changed in it.
    ///
    /// Accepts an empty file, and one whose creation was interrupted.
    static func checkOwner(_ database: Database) throws {
        let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        guard owner != Self.applicationID else { return }
        let countTables = "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'"
        guard try owner == 0 && Int.fetchOne(database, sql: countTables) == 0 else {
            throw StoreError.corrupt("The database belongs to another program. Choose another path for the store.")
        }
    }

    /// Refuses a database with migrations that this version does not know.
    static func checkVersion(_ database: Database) throws {
        guard try Self.migrator.hasBeenSuperseded(database) else { return }
        throw StoreError.corrupt("The database was written by a newer toastd. Run that version, or a newer one.")
    }

    /// Lets a read-only connection read a database of a version that stored each event in a row of its own.
    static func readAsBatches(_ database: Database) throws {
        guard try !database.columns(in: "events").contains(where: { $0.name == "count" }) else { return }
        try database.execute(sql: "CREATE TEMP VIEW events AS SELECT *, 1 AS count FROM main.events")
    }

    /// The epoch of the database; `nil` when it has none.
    static func epoch(of database: Database) throws -> Epoch? {
        try String.fetchOne(database, sql: "SELECT epoch FROM meta").flatMap(Epoch.init(rawValue:))
    }
}
