import Foundation
import GRDB
import ToastCore

/// The writing connection at work: one batch of changes, one transaction.
///
/// Lives on the writer's thread only. It remembers where the channels stand, so that compare and set costs no query;
/// all of that is dropped whenever a transaction fails, because then the memory is ahead of the disk.
final class SQLiteWriterSession {
    /// Something to do in the next transaction.
    enum Job: Sendable {
        /// Adds events with their envelopes, if the channel stands where the change says.
        case append(Append, [StoredEvent])
        /// Forgets one slice of what each channel may forget: events past the count, and those older than the instant.
        case forgetEvents([ChannelName], before: Instant)
        /// Forgets a channel that stands at an offset and has neither webhooks nor records; its outcome counts it.
        case forgetChannel(ChannelName, at: Offset)
        /// Removes a channel that stands at an offset, with its webhooks, its records and what waits; its outcome is 1 when it is
        /// gone.
        case removeChannel(ChannelName, at: Offset)
        /// Forgets one slice of the records older than the instant.
        case forgetRecords(before: Instant)
        /// Replaces or forgets catalogs, all or none.
        case changeCatalogs([CatalogChange])
        /// Replaces a document.
        case replaceDocument(DocumentName, [UInt8])

        /// Replaces the webhooks of a channel; its outcome counts the deliveries that went with them.
        case setWebhooks([Webhook], ChannelName)
        /// Takes a delivery out of the outbox, or moves it to a later place there.
        case settle(DeliveryID, Settlement)
        /// Runs a statement as it is; for tests, which break the disk with it.
        case execute(String)
    }

    /// How many rows a job removed, or why it was not done.
    typealias Outcome = Result<Int, StoreError>

    struct Entry {
        let id: Int64
        var standing: LogBounds
    }

    /// The channels remembered at most: some 2 MiB.
    private static let memory = 16_384

    /// The records forgotten by one job.
    private static let recordSlice = 256

    let database: Database
    let retention: Retention
    private let outbox: OutboxTally
    private let tally: ChannelTally
    var entries: [ChannelName: Entry] = [:]
    /// Prepared once; `nil` after a failure, because SQLite cannot reset a statement that failed.
    private var statements: Statements?
    /// What the transaction that runs does to the outbox.
    var change = OutboxTally.Change()
    /// How many channels there are, and where they begin, with what the transaction that runs did.
    var channels: ChannelTally.Count

    init(
        database: Database,
        retention: Retention,
        outbox: OutboxTally = OutboxTally(),
        tally: ChannelTally = ChannelTally()
    ) {
        self.database = database
        self.retention = retention
        self.outbox = outbox
        self.tally = tally
        self.channels = tally.count
    }

    /// Does all jobs in one transaction and says how each ended.
    ///
    /// A job that is refused changes nothing and harms no other.
    ///
    /// - Throws: Why SQLite failed; no job is done then.
    func perform(_ jobs: some Collection<Job>) throws(StoreError) -> [Outcome] {
        do {
            var outcomes: [Outcome] = []
            outcomes.reserveCapacity(jobs.count)
            let statements = try self.prepared()
            self.change = OutboxTally.Change()
            self.channels = self.tally.count
            try self.inTransaction(with: statements) {
                for job in jobs {
                    outcomes.append(try self.perform(job, with: statements))
                }
            }
            self.outbox.add(self.change)
            self.tally.set(self.channels)
            return outcomes
        } catch {
            self.entries.removeAll()
            self.statements = nil
            throw StoreError(error)
        }
    }

    /// As GRDB's method of that name, with statements that are prepared: to parse them takes longer than to store an event.
    private func inTransaction(with statements: Statements, _ body: () throws -> Void) throws {
        try statements.begin.execute()
        do {
            try body()
            try statements.commit.execute()
        } catch {
            // SQLite may have ended it by itself. What matters is why it failed.
            try? self.database.rollback()
            throw error
        }
    }

    private func perform(_ job: Job, with statements: Statements) throws -> Outcome {
        switch job {
        case .append(let change, let events):
            return try self.append(change, events, with: statements)
        case .forgetEvents(let channels, before: let instant):
            var count = 0
            for channel in channels {
                count += try self.forget(channel, before: instant, with: statements)
            }
            return .success(count)
        case .forgetChannel(let channel, at: let offset):
            return try self.forget(channel, at: offset, with: statements)
        case .removeChannel(let channel, at: let offset):
            return try self.remove(channel, at: offset, with: statements)
        case .forgetRecords(before: let instant):
            try statements.forgetRecords.execute(arguments: [instant.nanoseconds, Self.recordSlice])
            return .success(self.database.changesCount)
        case .changeCatalogs(let changes):
            return try Self.change(changes, in: self.database)
        case .replaceDocument(let name, let document):
            return try Self.replace(name, with: document, in: self.database)
        case .setWebhooks(let webhooks, let channel):
            let known = try self.entry(of: channel, with: statements)
            // To have none is nothing that a channel has to be kept for.
            if known == nil, webhooks.isEmpty { return .success(0) }
            guard known != nil || self.hasRoom else { return .failure(.tooManyChannels) }
            let entry = try known ?? self.newEntry(of: channel, with: statements)
            return .success(try self.setWebhooks(webhooks, of: entry.id, with: statements))
        case .settle(let delivery, let settlement):
            try self.settle(delivery, settlement, with: statements)
            return .success(0)
        case .execute(let sql):
            try self.database.execute(sql: sql)
            return .success(0)
        }
    }
}

extension SQLiteWriterSession {
    private func append(
        _ change: Append,
        _ stored: [StoredEvent],
        with statements: Statements
    ) throws -> Outcome {
        let known = try self.entry(of: change.channel, with: statements)
        let standing = self.standing(of: known)
        guard standing.admits(change.expected) else { return .failure(.conflict(current: standing.last)) }
        guard known != nil || self.hasRoom else { return .failure(.tooManyChannels) }
        var entry = try known ?? self.newEntry(of: change.channel, with: statements)
        if standing.isFresh { entry.standing = .beginning(behind: change.expected) }
        if !stored.isEmpty { entry.standing.isFresh = false }

        var events = stored[...]
        while let run = EventBatchRow(next: &events) {
            try statements.insertEvents.execute(
                entry.id,
                run.last.rawValue,
                run.at.nanoseconds,
                Int64(run.count),
                run.envelopes
            )
        }
        entry.standing.last = change.end
        if let snapshot = change.snapshot {
            try statements.replaceSnapshot.execute(
                arguments: [entry.id, snapshot.offset.rawValue, Data(snapshot.state)]
            )
            entry.standing.snapshot = snapshot.offset
        }
        for record in change.records {
            try statements.replaceRecord.execute(
                arguments: [
                    entry.id, record.key.owner, record.key.text, record.at.nanoseconds, Data(record.fingerprint),
                    Data(record.response), record.toast?.description, record.outcome != nil,
                    record.outcome.map { Data($0) },
                ]
            )
        }
        for owner in change.displaced { try statements.displaceRecord.execute(arguments: [entry.id, owner]) }
        for outcome in change.outcomes {
            try statements.noteOutcome.execute(arguments: [Data(outcome.document), entry.id, outcome.id.description])
        }
        for delivery in change.deliveries {
            try self.add(delivery, to: entry.id, with: statements)
        }
        if let overflow = entry.standing.overflow(over: self.retention.events) {
            try self.forget(through: overflow, in: &entry, with: statements)
        }
        self.entries[change.channel] = entry
        return .success(0)
    }

    /// Forgets at most one slice of a channel's events and says how many.
    private func forget(_ channel: ChannelName, before instant: Instant, with statements: Statements) throws -> Int {
        guard var entry = try self.entry(of: channel, with: statements) else { return 0 }
        let first = entry.standing.first
        var end = entry.standing.surplus(over: self.retention.events)
        let ages = try Row.fetchCursor(
            statements.ages,
            arguments: [entry.id, entry.standing.snapshot.rawValue, LogBounds.slice]
        )
        while let row = try ages.next(), Instant(nanoseconds: row[1]) < instant {
            end = max(end, Offset(rawValue: row[0]))
        }
        end = min(end, Offset(rawValue: first.rawValue + Int64(LogBounds.slice) - 1))
        guard end >= first else { return 0 }
        try self.forget(through: end, in: &entry, with: statements)
        self.entries[channel] = entry
        return Int(entry.standing.first.rawValue - first.rawValue)
    }

    private func forget(through offset: Offset, in entry: inout Entry, with statements: Statements) throws {
        try statements.forgetEvents.execute(arguments: [entry.id, offset.rawValue])
        if offset < entry.standing.last {
            try self.shorten(entry.id, through: offset, with: statements)
        }
        entry.standing.first = offset.next
    }

    /// Forgets the part of a channel's first row that ends at an offset, if there is one.
    private func shorten(_ id: Int64, through offset: Offset, with statements: Statements) throws {
        guard let row = try Row.fetchOne(statements.events, arguments: [id, offset.rawValue, 1]) else { return }
        let run = try EventBatchRow(row)
        guard run.first <= offset else { return }
        var rest = try run.events().drop { $0.offset <= offset }
        guard let rest = EventBatchRow(next: &rest) else { return }
        try statements.shortenEvents.execute(arguments: [rest.count, Data(rest.envelopes), id, rest.last.rawValue])
    }
}

extension SQLiteWriterSession {
    func entry(of channel: ChannelName, with statements: Statements) throws -> Entry? {
        if let entry = self.entries[channel] { return entry }
        guard let row = try Row.fetchOne(statements.standing, arguments: [channel.rawValue]) else { return nil }
        let entry = Entry(id: row[0], standing: LogBounds(row, floor: self.channels.floor))
        self.remember(entry, of: channel)
        return entry
    }

    private var hasRoom: Bool { self.channels.number < self.tally.limit }

    /// Where a channel stands, or would begin now.
    func standing(of known: Entry?) -> LogBounds {
        known.flatMap { $0.standing.isFresh ? nil : $0.standing } ?? .beginning(behind: self.channels.floor)
    }

    private func newEntry(of channel: ChannelName, with statements: Statements) throws -> Entry {
        try statements.insertChannel.execute(arguments: [channel.rawValue])
        self.channels.number += 1
        let entry = Entry(id: self.database.lastInsertedRowID, standing: .beginning(behind: self.channels.floor))
        self.remember(entry, of: channel)
        return entry
    }

    private func remember(_ entry: Entry, of channel: ChannelName) {
        if self.entries.count >= Self.memory {
            self.entries.removeAll(keepingCapacity: true)
        }
        self.entries[channel] = entry
    }

    private func prepared() throws -> Statements {
        if let statements = self.statements { return statements }
        let statements = try Statements(self.database)
        self.statements = statements
        return statements
    }
}
