import GRDB
import Glibc
import Synchronization
package import ToastCore

/// A store in one SQLite file, for a toastd that runs alone.
///
/// One thread commits all waiting appends in one transaction; each append returns after its commit. Reads have their
/// own connections and see everything that was committed before they began. When the disk fails, calls throw
/// `unavailable`; the store recovers by itself when the disk does.
package final class SQLiteStore: Store {
    /// What a committed event survives.
    ///
    /// Each is a mode of SQLite, <https://www.sqlite.org/pragma.html#pragma_synchronous>.
    package enum Durability: String, Sendable {
        /// Any end of the process; a power cut may lose the last commits but never damages the file.
        case process = "NORMAL"
        /// A power cut as well: each commit waits for the disk.
        case power = "FULL"
    }

    /// Identifies the history of the file.
    ///
    /// A new epoch begins when the file is created, is a restored backup, or may have lost acknowledged events in a
    /// power cut.
    package let epoch: Epoch

    /// Why nothing can be written now.
    ///
    /// The store tries again each second, even when nothing is published.
    package var failure: StoreError? { self.writer.health.failure }

    private let retention: Retention
    let read: SQLiteReader
    let writer: Writer
    let counts: StoreCounts

    /// What the store's transactions cost.
    package var commits: CommitMeter { self.writer.meter }

    /// The latest instant for which the store was pruned, in nanoseconds; the age of records is measured against it.
    ///
    /// The latest event cannot serve: a channel that was written before the wall clock was set back is ahead of all
    /// others.
    private let lastPruned = Atomic<Int64>(.min)

    /// Opens the database at `path`; creates the file and its directory when they are missing.
    ///
    /// Takes at most a few dozen milliseconds whatever the number of events, and ten more for a million channels. A
    /// second store for the same file is refused.
    ///
    /// - Parameters:
    ///   - path: Where the database is.
    ///   - retention: How long events, records and deliveries are kept.
    ///   - durability: What a commit survives.
    ///   - boot: The id of the machine's boot, `nil` for the real one; tests give others.
    ///   - tell: Called when the store fails or recovers, on any thread; must not wait for the store.
    /// - Throws: `corrupt` when the file is damaged, belongs to another program, or was written by a newer toastd;
    ///   `unavailable` when it cannot be opened or another process has it. Nothing was changed then.
    package init(
        path: String,
        retention: Retention = .standard,
        durability: Durability = .process,
        boot: String? = nil,
        tell: @escaping @Sendable (StoreNotice) -> Void = { _ in }
    ) throws(StoreError) {
        // A write past the limit on file sizes shall fail with an error, and not end the process.
        _ = signal(SIGXFSZ, SIG_IGN)
        try IntegrityCheck.checkFile(path)
        try DatabaseFile.makeDirectory(of: path)
        let file = try DatabaseFile(path: path)
        do {
            try IntegrityCheck.look(at: path)
            file.protect()
            // A connection that is opened later must not open a file that has replaced this one.
            let pool = try Self.open(path) { try file.check() }
            try pool.read(Schema.checkVersion)
            try Schema.migrator.migrate(pool)
            let (epoch, isNew) = try pool.write { try StoreLife.begin(in: $0, boot: boot ?? StoreLife.boot) }
            self.epoch = epoch
            try Self.set(durability, of: pool)
            file.noteLog()
            let health = StoreHealth(tell: tell)
            let counts = try pool.read { try StoreCounts($0) }
            if isNew, counts.values.channels > 0 { tell(.newEpoch) }
            self.retention = retention
            self.counts = counts
            self.read = SQLiteReader(pool: pool, health: health)
            self.writer = Writer(pool: pool, file: file, health: health, retention: retention, counts: counts)
        } catch {
            file.unlock()
            throw StoreError(error)
        }
    }

    deinit {
        self.writer.close()
    }

    /// Checks that a file can be a store, and changes nothing in it; a server may have it open.
    ///
    /// SQLite may leave an empty log (`-wal`) beside it.
    ///
    /// - Throws: Why no server could start with it.
    package static func look(at path: String) throws(StoreError) {
        do {
            try IntegrityCheck.checkFile(path)
            try IntegrityCheck.checkNames(path)
            try IntegrityCheck.look(at: path)
        } catch {
            throw StoreError(error)
        }
    }

    /// True: a transaction and two thread switches cost more than storing the events.
    package var gathersAppends: Bool { true }

    /// Appends to several channels in one transaction, and completes after the commit, on the writer's thread.
    package func append(_ changes: [Append], completion: @escaping @Sendable (Int, AppendOutcome) -> Void) {
        let jobs = changes.map { change -> SQLiteWriterSession.Job in
            change.checkShape()
            let events = change.events.stored(channel: change.channel, epoch: self.epoch)
            return { session in try session.append(change, events) }
        }
        self.writer.perform(jobs) { outcomes in
            for (index, outcome) in outcomes.enumerated() {
                switch outcome {
                case .success: completion(index, .stored)
                case .failure(let error): completion(index, .failed(error))
                }
            }
        }
    }

    /// Reads what a channel is rebuilt from; an unknown channel is empty and begins at the floor.
    ///
    /// - Throws: `corrupt` when events are missing between its snapshot and its end.
    package func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel {
        try await self.read { database in
            // The floor of the same transaction: the counted one may be from before the channel was forgotten.
            try database.stored(channel) ?? StoredChannel(snapshot: nil, tail: [], last: database.floor())
        }
    }

    package func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int,
        bytes: Int
    ) async throws(StoreError) -> History {
        try await self.read { database in
            guard let (id, bounds) = try database.channel(channel) else {
                let bounds = LogBounds.beginning(after: try database.floor())
                return History(events: [], isCut: bounds.isCut(after: offset))
            }
            let events = try database.events(of: id, after: offset, limit: limit, bytes: bytes)
            return History(events: events, isCut: bounds.isCut(after: offset))
        }
    }

    /// Looks up an idempotency record; an expired one is not found, whether or not it was pruned.
    package func record(of channel: ChannelName, key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord? {
        let now = Instant(nanoseconds: self.lastPruned.load(ordering: .relaxed))
        let since = now + (.zero - self.retention.recordAge)
        return try await self.read { database in
            guard let (id, _) = try database.channel(channel) else { return nil }
            let statement = try database.statement(.record)
            let arguments: StatementArguments = [id, key.owner, key.text, since.nanoseconds]
            return try Row.fetchOne(statement, arguments: arguments).map { row in try IdempotencyRecord(row, of: key) }
        }
    }

    package func outcome(of toast: ToastID, in channel: ChannelName) async throws(StoreError) -> ToastOutcome? {
        try await self.read { database in
            guard let (id, _) = try database.channel(channel) else { return nil }
            let row = try Row.fetchOne(database.statement(.outcome), arguments: [id, toast.description])
            return try row.map { ToastOutcome(id: toast, document: try $0.bytes(at: 0)) }
        }
    }

    /// How many idempotency records of a channel are kept for each owner; a walk over an index of them.
    package func recordCounts(of channel: ChannelName) async throws(StoreError) -> [String: Int] {
        try await self.read { database in
            guard let (id, _) = try database.channel(channel) else { return [:] }
            let rows = try Row.fetchAll(database.statement(.recordCounts), arguments: [id])
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
        }
    }

    package func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] {
        try await self.read { database in
            let (statement, start) = (try database.statement(.channels), name?.rawValue ?? "")
            return try String.fetchAll(statement, arguments: [start, max(limit, 0)]).map { text in
                guard let name = ChannelName(rawValue: text) else {
                    throw StoreError.corrupt("A channel has a name that is none.")
                }
                return name
            }
        }
    }

    /// Forgets what the retention allows at this instant, in slices, so that appends run in between.
    package func prune(at now: Instant) async throws(StoreError) {
        self.lastPruned.max(now.nanoseconds, ordering: .relaxed)
        try await self.pruneEvents(before: now + (.zero - self.retention.age))
        let before = now + (.zero - self.retention.recordAge)
        while try await self.writer.perform({ try $0.forgetRecords(before: before) }) > 0 {}
    }

    /// Writes everything that was accepted, closes the file and ends the thread; later calls throw `unavailable`.
    package func close() async {
        self.writer.close()
        await self.writer.ended()
    }

    private func pruneEvents(before instant: Instant) async throws(StoreError) {
        var next: Int64? = 0
        while let id = next {
            let page = try await self.read { [retention] database in
                try database.forgettable(after: id, retention: retention, before: instant)
            }
            for start in stride(from: 0, to: page.channels.count, by: Self.pruneSlice) {
                let slice = Array(page.channels[start...].prefix(Self.pruneSlice))
                while try await self.writer.perform({ try $0.forgetEvents(of: slice, before: instant) }) > 0 {}
            }
            next = page.next
        }
    }

    /// The most channels whose events one job forgets, at most ``LogBounds/slice`` events of each.
    private static let pruneSlice = 4

    /// Opens a database so that each commit waits for the disk.
    static func open(_ path: String, check: @escaping @Sendable () throws -> Void = {}) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "toast-store"
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = SQLiteReader.connections
        configuration.prepareDatabase { database in
            try check()
            try Schema.checkOwner(database)
        }
        let pool = try DatabasePool(path: FileSystem.plain(path), configuration: configuration)
        try pool.writeWithoutTransaction { database in
            // A checkpoint every 16 MiB instead of every 4, so that a page that changes often is copied once.
            try database.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    PRAGMA wal_autocheckpoint = 4000;
                    PRAGMA journal_size_limit = 67108864;
                    PRAGMA cache_size = -8192;
                    """
            )
        }
        return pool
    }

    /// Sets what commits wait for from now on.
    static func set(_ durability: Durability, of pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(durability.rawValue)") }
    }
}
