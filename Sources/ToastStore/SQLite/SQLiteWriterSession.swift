import Foundation
import GRDB
import ToastCore

/// The writing connection: runs a batch of jobs in one transaction.
///
/// Used on the writer's thread only. It caches the bounds of channels, so that compare-and-set costs no query. The
/// cache is dropped when a transaction fails, because it is then ahead of the disk.
final class SQLiteWriterSession {
    /// A change for the next transaction.
    typealias Job = @Sendable (SQLiteWriterSession) throws -> Outcome

    /// A number that the change explains, such as how much it removed; or why the job was refused.
    typealias Outcome = Result<Int, StoreError>

    struct Entry {
        let id: Int64
        var bounds: LogBounds
    }

    /// The most channels in the cache: about 2 MiB.
    private static let cacheLimit = 16_384

    /// The records forgotten by one job.
    private static let recordSlice = 256

    let database: Database
    let retention: Retention
    private let counts: StoreCounts
    var entries: [ChannelName: Entry] = [:]
    /// The counts, including the changes of the running transaction.
    var newCounts: StoreCounts.Values

    init(database: Database, retention: Retention, counts: StoreCounts) {
        self.database = database
        self.retention = retention
        self.counts = counts
        self.newCounts = counts.values
    }

    /// Runs all jobs in one transaction and returns the outcome of each.
    ///
    /// A job that is refused changes nothing and does not affect the others.
    ///
    /// - Throws: Why SQLite failed; then no job is done.
    func perform(_ jobs: [Job]) throws(StoreError) -> [Outcome] {
        do {
            self.newCounts = self.counts.values
            let outcomes = try self.inTransaction { try jobs.map { job in try job(self) } }
            self.counts.values = self.newCounts
            return outcomes
        } catch {
            self.entries.removeAll()
            throw StoreError(error)
        }
    }

    /// Replaces GRDB's method of that name, which parses `BEGIN` and `COMMIT` each time: that takes longer than storing
    /// an event.
    func inTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        try self.database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
        do {
            let value = try body()
            try self.database.cachedStatement(sql: "COMMIT").execute()
            return value
        } catch {
            // SQLite may have ended the transaction already; the first error is the one to report.
            try? self.database.rollback()
            throw error
        }
    }
}

extension SQLiteWriterSession {
    /// Adds events with their envelopes, if the channel's last offset is the expected one.
    func append(_ change: Append, _ stored: [StoredEvent]) throws -> Outcome {
        let known = try self.entry(of: change.channel)
        let bounds = self.bounds(of: known)
        guard bounds.accepts(change.expected) else { return .failure(.conflict(current: bounds.last)) }
        guard known != nil || self.hasRoom else { return .failure(.tooManyChannels) }
        var entry = try known ?? self.newEntry(of: change.channel)
        // A channel without events begins where its first append says.
        if bounds.isFresh { entry.bounds = .beginning(after: change.expected) }
        if !stored.isEmpty || change.snapshot != nil { entry.bounds.isFresh = false }

        var events = stored[...]
        let insertion = RowInsertion(statement: try self.database.statement(.insertEvents))
        while let batch = EventBatchRow(next: &events) {
            try insertion.execute(entry.id, batch)
        }
        entry.bounds.last = change.end
        if let snapshot = change.snapshot {
            try self.execute(.replaceSnapshot, [entry.id, snapshot.offset.rawValue, Data(snapshot.state)])
            entry.bounds.snapshot = snapshot.offset
        }
        for record in change.records {
            try self.execute(
                .replaceRecord,
                [
                    entry.id, record.key.owner, record.key.text, record.at.nanoseconds, Data(record.fingerprint),
                    Data(record.response), record.toast?.description, record.outcome != nil,
                    record.outcome.map { Data($0) },
                ]
            )
        }
        for owner in change.displaced { try self.execute(.displaceRecord, [entry.id, owner]) }
        for outcome in change.outcomes {
            try self.execute(.noteOutcome, [Data(outcome.document), entry.id, outcome.id.description])
        }
        for delivery in change.deliveries { try self.add(delivery, to: entry.id) }
        if let overflow = entry.bounds.overflow(over: self.retention.events) {
            try self.forget(through: overflow, in: &entry)
        }
        self.entries[change.channel] = entry
        return .success(0)
    }

    /// Forgets one slice of the events that each channel may forget: those past the count, and those older than the
    /// instant.
    func forgetEvents(of channels: [ChannelName], before instant: Instant) throws -> Outcome {
        .success(try channels.reduce(0) { try $0 + self.forget($1, before: instant) })
    }

    /// Forgets at most one slice of a channel's events; returns how many.
    private func forget(_ channel: ChannelName, before instant: Instant) throws -> Int {
        guard var entry = try self.entry(of: channel) else { return 0 }
        let first = entry.bounds.first
        var end = entry.bounds.surplus(over: self.retention.events)
        let ages = try Row.fetchCursor(
            self.database.statement(.ages),
            arguments: [entry.id, entry.bounds.snapshot.rawValue, LogBounds.slice]
        )
        while let row = try ages.next(), Instant(nanoseconds: row[1]) < instant {
            end = max(end, Offset(rawValue: row[0]))
        }
        end = min(end, Offset(rawValue: first.rawValue + Int64(LogBounds.slice) - 1))
        guard end >= first else { return 0 }
        try self.forget(through: end, in: &entry)
        self.entries[channel] = entry
        return Int(entry.bounds.first.rawValue - first.rawValue)
    }

    private func forget(through offset: Offset, in entry: inout Entry) throws {
        try self.execute(.forgetEvents, [entry.id, offset.rawValue])
        if offset < entry.bounds.last { try self.shorten(entry.id, through: offset) }
        entry.bounds.first = offset.next
    }

    /// Removes the events up to an offset from the row that also has later ones.
    private func shorten(_ id: Int64, through offset: Offset) throws {
        guard let row = try Row.fetchOne(self.database.statement(.events), arguments: [id, offset.rawValue, 1]) else {
            return
        }
        let batch = try EventBatchRow(row)
        guard batch.first <= offset else { return }
        var rest = try batch.events().drop { $0.offset <= offset }
        guard let rest = EventBatchRow(next: &rest) else { return }
        try self.execute(.shortenEvents, [rest.count, Data(rest.envelopes), id, rest.last.rawValue])
    }

    /// Forgets one slice of the records older than the instant.
    func forgetRecords(before instant: Instant) throws -> Outcome {
        try self.execute(.forgetRecords, [instant.nanoseconds, Self.recordSlice])
        return .success(self.database.changesCount)
    }

    /// Replaces the webhooks of a channel; the outcome is the number of removed deliveries.
    func setWebhooks(_ webhooks: [Webhook], of channel: ChannelName, replacing known: [Webhook]?) throws -> Outcome {
        let old = try self.entry(of: channel)
        if let known {
            let stored = try old.map { try self.database.webhooks(of: $0.id).map(\.webhook) } ?? []
            guard stored == known else { return .failure(.conflict(current: self.bounds(of: old).last)) }
        }
        // An unknown channel that gets no webhooks need not be kept.
        if old == nil, webhooks.isEmpty { return .success(0) }
        guard old != nil || self.hasRoom else { return .failure(.tooManyChannels) }
        let entry = try old ?? self.newEntry(of: channel)
        return .success(try self.setWebhooks(webhooks, of: entry.id))
    }
}

extension SQLiteWriterSession {
    func entry(of channel: ChannelName) throws -> Entry? {
        if let entry = self.entries[channel] { return entry }
        guard let row = try Row.fetchOne(self.database.statement(.bounds), arguments: [channel.rawValue]) else {
            return nil
        }
        let entry = Entry(id: row[0], bounds: LogBounds(row, floor: self.newCounts.floor))
        self.remember(entry, of: channel)
        return entry
    }

    private var hasRoom: Bool { self.newCounts.channels < self.counts.channelLimit }

    /// The bounds of a channel; of an unknown one, where it would begin now.
    func bounds(of known: Entry?) -> LogBounds {
        known.flatMap { $0.bounds.isFresh ? nil : $0.bounds } ?? .beginning(after: self.newCounts.floor)
    }

    private func newEntry(of channel: ChannelName) throws -> Entry {
        try self.execute(.insertChannel, [channel.rawValue])
        self.newCounts.channels += 1
        let entry = Entry(id: self.database.lastInsertedRowID, bounds: .beginning(after: self.newCounts.floor))
        self.remember(entry, of: channel)
        return entry
    }

    private func remember(_ entry: Entry, of channel: ChannelName) {
        if self.entries.count >= Self.cacheLimit { self.entries.removeAll(keepingCapacity: true) }
        self.entries[channel] = entry
    }

    func execute(_ query: Query, _ arguments: StatementArguments) throws {
        try self.database.statement(query).execute(arguments: arguments)
    }
}
