import Foundation
import GRDB
public import Measures
import Synchronization
public import ToastCore

/// Channels kept in one SQLite file: the store of a toastd that stands alone.
///
/// Appends from everywhere are grouped: one thread takes all that wait and commits them in one transaction, and each
/// append returns after its commit. Reads run beside it on connections of their own and see all that was committed
/// before they began. A failing disk is reported as `unavailable`; the store recovers by itself with the disk.
public final class SQLiteStore: Store {
    /// What a committed event survives.
    public enum Durability: Hashable, Sendable {
        /// The end of the process, however it ends; a power cut may take the last commits, never the file.
        case process
        /// A power cut too: each commit waits for the disk.
        case power
    }

    /// The life of the file: drawn when it was created, and again when a power cut may have taken what was acknowledged.
    public let epoch: Epoch

    /// Why nothing can be written now; the store tries again each second, and needs nobody who publishes for it.
    public var failure: StoreError? { self.writer.condition.failure }

    private let retention: Retention
    let read: Reader
    let writer: Writer
    let tally: OutboxTally
    let channelTally: ChannelTally
    let claims = Mutex(DeliveryClaims())

    /// What the store's transactions cost.
    public var commits: CommitMeter { self.writer.meter }

    /// The latest instant for which the store was pruned, in nanoseconds, which records age by.
    ///
    /// Not that of the latest event: a channel that was written before the wall clock was set back runs ahead of all others.
    private let now = Atomic<Int64>(.min)

    /// Opens the database at `path`, or creates it together with its directory.
    ///
    /// Takes a few milliseconds, however many events the file holds, and ten more for a million channels. Only one store at a time has a file open; a
    /// second one is refused.
    ///
    /// - Parameters:
    ///   - path: Where the database is.
    ///   - retention: What is forgotten when.
    ///   - durability: What a commit survives.
    ///   - tell: Is told when the store fails and recovers, on any thread; must not wait for the store.
    /// - Throws: `corrupt` when the file is damaged, belongs to another program, or was written by a newer toastd;
    ///   `unavailable` when it cannot be opened or another process has it. Nothing was changed then.
    public convenience init(
        path: String,
        retention: Retention = .standard,
        durability: Durability = .process,
        tell: @escaping @Sendable (StoreNotice) -> Void = { _ in }
    ) throws(StoreError) {
        try self.init(path: path, retention: retention, durability: durability, boot: StoreLife.boot, tell: tell)
    }

    /// Opens a database in some boot of the machine.
    init(
        path: String,
        retention: Retention = .standard,
        durability: Durability = .process,
        boot: String,
        tell: @escaping @Sendable (StoreNotice) -> Void = { _ in }
    ) throws(StoreError) {
        SystemCalls.ignoreFileSizeSignal()
        let file: DatabaseFile
        // SQLite would speak of a disk that fails.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType != .typeDirectory else {
            throw .unavailable("It is a directory. Name a file in it.")
        }
        do {
            let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            file = try DatabaseFile(path: path)
        } catch let error as StoreError {
            throw error
        } catch {
            throw .unavailable("The directory of \(path) cannot be made: \(error.localizedDescription)")
        }
        do {
            try IntegrityCheck.look(at: path)
            file.protect()
            // A connection that is opened later must not open another file.
            let pool = try Self.open(path) { try file.check() }
            try Schema.prepare(pool)
            let (epoch, isNew) = try pool.write { try StoreLife.begin(in: $0, boot: boot) }
            self.epoch = epoch
            try Self.set(durability, of: pool)
            file.noteLog()
            let condition = Condition(tell: tell)
            self.read = Reader(pool: pool, condition: condition)
            self.writer = Writer(pool: pool, file: file, condition: condition)
            self.tally = OutboxTally(waiting: try pool.read(OutboxTally.count))
            self.channelTally = ChannelTally(try pool.read { try ChannelTally.Count($0) })
            if isNew, self.channelTally.count.number > 0 { tell(.newEpoch) }
        } catch {
            file.unlock()
            throw StoreError(error)
        }
        self.retention = retention
        self.writer.start(retention: retention, outbox: self.tally, channels: self.channelTally)
    }

    deinit {
        self.writer.close()
    }

    /// True: a transaction and two wakings of a thread cost more than what is stored.
    public var gathersAppends: Bool { true }

    /// Appends to several channels in one transaction, and completes after the commit, on the writer's thread.
    public func append(_ changes: [Append], completion: @escaping @Sendable ([AppendOutcome]) -> Void) {
        let jobs = changes.map { change in
            change.checkShape()
            return SQLiteWriterSession.Job.append(
                change,
                change.events.stored(channel: change.channel, epoch: self.epoch)
            )
        }
        self.writer.perform(jobs) { outcomes in
            completion(outcomes.map { if case .failure(let error) = $0 { .failed(error) } else { .stored } })
        }
    }

    /// Nothing: only the process that has the file open writes to it.
    public func onAppendByOthers(_ observer: @escaping @Sendable (ChannelName, Offset) -> Void) {}

    /// Reads what a channel is rebuilt from; one that is not known has nothing and stands at the floor.
    ///
    /// - Throws: `corrupt` when events are missing between its snapshot and its end.
    public func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel {
        let stored = try await self.read { try $0.stored(channel) }
        return stored ?? StoredChannel(snapshot: nil, tail: [], last: self.channelTally.count.floor)
    }

    /// Reads events of a channel behind an offset, oldest first: so many at most, and so many bytes.
    public func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int,
        bytes: Int
    ) async throws(StoreError) -> History {
        try await self.read { database in
            guard let (id, standing) = try database.channel(channel) else {
                return History(
                    events: [],
                    isCut: LogBounds.beginning(behind: try database.floor()).isCut(after: offset)
                )
            }
            let events = try database.events(of: id, after: offset, limit: limit, bytes: bytes)
            return History(events: events, isCut: standing.isCut(after: offset))
        }
    }

    /// Looks up an idempotency record; one past its age is not found, whether or not it was pruned.
    public func record(of channel: ChannelName, key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord? {
        let now = Instant(nanoseconds: self.now.load(ordering: .relaxed))
        let since = now + (.zero - self.retention.recordAge)
        return try await self.read { database in
            guard let (id, _) = try database.channel(channel) else { return nil }
            return try database.record(of: id, key: key, since: since)
        }
    }

    /// How a toast ended that was published under an idempotency key.
    public func outcome(of toast: ToastID, in channel: ChannelName) async throws(StoreError) -> ToastOutcome? {
        try await self.read { database in
            guard let (id, _) = try database.channel(channel) else { return nil }
            return try database.outcome(of: toast, in: id)
        }
    }

    /// How many idempotency records of a channel are kept for each owner; a walk over an index of them.
    public func recordCounts(of channel: ChannelName) async throws(StoreError) -> [String: Int] {
        try await self.read { database in
            guard let (id, _) = try database.channel(channel) else { return [:] }
            return try database.recordCounts(of: id)
        }
    }

    /// The names of the channels that the store knows, in order, behind `name` if one is given.
    public func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] {
        try await self.read { try $0.channels(after: name?.rawValue ?? "", limit: limit) }
    }

    /// Forgets what the retention allows at this instant, in slices between which appends go on.
    public func prune(at now: Instant) async throws(StoreError) {
        self.now.max(now.nanoseconds, ordering: .relaxed)
        try await self.pruneEvents(before: now + (.zero - self.retention.age))
        let before = now + (.zero - self.retention.recordAge)
        while try await self.writer.perform(.forgetRecords(before: before)) > 0 {}
    }

    /// Writes out all that was accepted, closes the file and ends the thread; later calls throw `unavailable`.
    public func close() async {
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
                while try await self.writer.perform(.forgetEvents(slice, before: instant)) > 0 {}
            }
            next = page.next
        }
    }

    /// The channels that one job forgets events of: at most so many times ``LogBounds/slice`` rows.
    private static let pruneSlice = 4

    /// Opens a database so that each commit waits for the disk.
    static func open(_ path: String, check: @escaping @Sendable () throws -> Void = {}) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "toast-store"
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = Reader.connections
        configuration.prepareDatabase { database in
            try check()
            try Schema.checkOwner(database)
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { database in
            // A checkpoint each 16 MiB, not each 4: a page that changed often is copied once.
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

    /// Says what commits wait for from now on.
    static func set(_ durability: Durability, of pool: DatabasePool) throws {
        let level =
            switch durability {
            case .process: "NORMAL"
            case .power: "FULL"
            }
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(level)") }
    }
}
