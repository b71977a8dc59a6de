import Dispatch
import GRDB
import Synchronization
import ToastCore

/// What readers ask of the database, on threads beside the writer's.
///
/// WAL gives a read everything that was committed before its transaction began: all that was acknowledged when it was
/// asked for, because what waits is taken before that.
final class Reader: Sendable {
    private typealias OutgoingRequest = @Sendable (Result<Database, any Error>) -> Void

    /// The connections, and so the transactions at a time.
    static let connections = 4

    private let pool: DatabasePool
    private let condition: Condition
    private let room = Mutex(ReadBatcherState<OutgoingRequest>(readers: Reader.connections))
    private let queue = DispatchQueue(label: "toast-store.readers", attributes: .concurrent)

    init(pool: DatabasePool, condition: Condition) {
        self.pool = pool
        self.condition = condition
    }

    /// Runs a query in a transaction, which it may share with others.
    func callAsFunction<Value: Sendable>(
        _ query: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let outcome = await withCheckedContinuation { continuation in
            let letter: OutgoingRequest = { database in
                continuation.resume(returning: Result { try query(database.get()) }.mapError(StoreError.init))
            }
            if self.room.withLock({ $0.add(letter) }) { self.call() }
        }
        do throws(StoreError) {
            return try outcome.get()
        } catch {
            self.condition.note(error)
            throw error
        }
    }

    private func call() {
        self.queue.async {
            self.room.withLock { $0.enter() }
            while let (letters, callsAnother) = self.room.withLock({ $0.take() }) {
                if callsAnother { self.call() }
                self.answer(letters)
            }
        }
    }

    private func answer(_ letters: [OutgoingRequest]) {
        var rest = letters[...]
        do {
            try self.pool.read { database in
                while let letter = rest.popFirst() { letter(.success(database)) }
            }
        } catch {
            // Whoever was answered before the transaction failed to end has read what was there.
            for letter in rest { letter(.failure(error)) }
        }
    }
}

extension Database {
    func channel(_ name: ChannelName) throws -> (id: Int64, standing: LogBounds)? {
        let statement = try self.cachedStatement(sql: Query.standing.rawValue)
        guard let row = try Row.fetchOne(statement, arguments: [name.rawValue]) else { return nil }
        return (id: row[0], standing: try LogBounds(row, floor: self.floor()))
    }

    /// What is stored of a channel, with a query for nothing that it has not.
    func stored(_ name: ChannelName) throws -> StoredChannel? {
        let statement = try self.cachedStatement(sql: Query.load.rawValue)
        guard let row = try Row.fetchOne(statement, arguments: [name.rawValue]) else { return nil }
        let standing = try LogBounds(row, floor: self.floor())
        let (id, hasSnapshot): (Int64, Bool) = (row[0], row[3] != nil)
        let (hasWebhooks, hasRecords): (Bool, Bool) = (row[4], row[5])
        let tail = try self.events(of: id, after: standing.snapshot, limit: .max)
        guard tail.first.map({ $0.offset == standing.snapshot.next }) ?? (standing.last == standing.snapshot) else {
            throw StoreError.corrupt("Channel \(name) lacks the events behind its snapshot.")
        }
        return StoredChannel(
            snapshot: hasSnapshot ? try self.snapshot(of: id) : nil,
            tail: tail,
            last: standing.last,
            webhooks: hasWebhooks ? try self.webhooks(of: id).map(\.webhook) : [],
            recordCount: hasRecords ? try self.fewRecords(of: id) : 0,
            openToasts: hasRecords ? try self.openToasts(of: id) : []
        )
    }

    /// Where channels begin; a database that an older version wrote says nothing of it.
    func floor() throws -> Offset {
        guard try self.columns(in: "meta").contains(where: { $0.name == "floor" }) else { return .origin }
        let statement = try self.cachedStatement(sql: "SELECT floor FROM meta")
        return Offset(rawValue: try Int64.fetchOne(statement) ?? 0)
    }

    /// Looks at some channels for those that are quiet.
    func quietChannels(after name: String, since instant: Instant, limit: Int) throws -> QuietChannels {
        let statement = try self.cachedStatement(sql: Query.quiet.rawValue)
        var (names, next, count): ([ChannelName], ChannelName?, Int) = ([], nil, 0)
        let rows = try Row.fetchCursor(statement, arguments: [name, limit])
        while let row = try rows.next() {
            guard let name = ChannelName(rawValue: row[0]) else { continue }
            (next, count) = (name, count + 1)
            let (at, isNeeded): (Int64?, Bool) = (row[1], row[2])
            guard !isNeeded, at.map({ Instant(nanoseconds: $0) < instant }) ?? true else { continue }
            names.append(name)
        }
        return QuietChannels(names: names, next: count < limit ? nil : next)
    }

    func snapshot(of channel: Int64) throws -> StoredSnapshot? {
        let statement = try self.cachedStatement(sql: Query.snapshot.rawValue)
        guard let row = try Row.fetchOne(statement, arguments: [channel]) else { return nil }
        return StoredSnapshot(offset: Offset(rawValue: row[0]), state: try row.bytes(at: 1))
    }

    /// Reads events and checks that they follow each other, so that a damaged log is never folded.
    ///
    /// The first one is read however long it is; further ones have at most so many bytes with it.
    func events(of channel: Int64, after offset: Offset, limit: Int, bytes: Int = .max) throws -> [StoredEvent] {
        let statement = try self.cachedStatement(sql: Query.events.rawValue)
        var (events, room): ([StoredEvent], Int) = ([], bytes)
        let rows = try Row.fetchCursor(statement, arguments: [channel, offset.rawValue, max(limit, 0)])
        while events.count < limit, let row = try rows.next() {
            let run = try EventBatchRow(row)
            guard events.last.map({ $0.offset.next == run.first }) ?? true else {
                throw StoreError.corrupt("Event \(run.first.rawValue) of a channel does not follow the one before.")
            }
            for event in try run.events().drop(while: { $0.offset <= offset }).prefix(limit - events.count) {
                guard events.isEmpty || event.envelope.count <= room else { return events }
                events.append(event)
                room -= event.envelope.count
            }
        }
        return events
    }

    func record(of channel: Int64, key: IdempotencyKey, since: Instant) throws -> IdempotencyRecord? {
        let statement = try self.cachedStatement(sql: Query.record.rawValue)
        let arguments: StatementArguments = [channel, key.owner, key.text, since.nanoseconds]
        guard let row = try Row.fetchOne(statement, arguments: arguments) else { return nil }
        return IdempotencyRecord(
            key: key,
            fingerprint: try row.bytes(at: 1),
            at: Instant(nanoseconds: row[0]),
            response: try row.bytes(at: 2),
            toast: (row[3] as String?).flatMap(ToastID.init),
            outcome: row.hasNull(atIndex: 4) ? nil : try row.bytes(at: 4)
        )
    }

    /// The toasts of a channel's records that have no outcome yet.
    func openToasts(of channel: Int64) throws -> [ToastID] {
        let statement = try self.cachedStatement(sql: Query.openToasts.rawValue)
        return try String.fetchAll(statement, arguments: [channel]).compactMap(ToastID.init)
    }

    func outcome(of toast: ToastID, in channel: Int64) throws -> ToastOutcome? {
        let statement = try self.cachedStatement(sql: Query.outcome.rawValue)
        guard let row = try Row.fetchOne(statement, arguments: [channel, toast.description]) else { return nil }
        return ToastOutcome(id: toast, document: try row.bytes(at: 0))
    }

    /// How many records a channel has; `nil` when they are more than a few.
    func fewRecords(of channel: Int64) throws -> Int? {
        let (statement, few) = (try self.cachedStatement(sql: Query.records.rawValue), 64)
        let count = try Int.fetchAll(statement, arguments: [channel, few + 1]).count
        return count > few ? nil : count
    }

    func recordCounts(of channel: Int64) throws -> [String: Int] {
        let statement = try self.cachedStatement(sql: Query.recordCounts.rawValue)
        let rows = try Row.fetchAll(statement, arguments: [channel])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    func channels(after name: String, limit: Int) throws -> [ChannelName] {
        let statement = try self.cachedStatement(sql: Query.channels.rawValue)
        return try String.fetchAll(statement, arguments: [name, max(limit, 0)]).map { text in
            guard let name = ChannelName(rawValue: text) else {
                throw StoreError.corrupt("A channel has a name that is none.")
            }
            return name
        }
    }

    /// Reads a page of the channels whose oldest event may be gone without harm, and which of them have to lose some.
    func forgettable(after id: Int64, retention: Retention, before instant: Instant) throws -> ForgettablePage {
        let statement = try self.cachedStatement(sql: Query.forgettable.rawValue)
        var page = ForgettablePage()
        var rowCount = 0
        let rows = try Row.fetchCursor(statement, arguments: [id, ForgettablePage.size])
        while let row = try rows.next() {
            rowCount += 1
            page.next = row[0]
            let first: Int64 = row[3]
            let last: Int64 = row[4]
            let isOverdue = Instant(nanoseconds: row[2]) < instant || last - first >= Int64(max(retention.events, 1))
            guard isOverdue, let name = ChannelName(rawValue: row[1]) else { continue }
            page.channels.append(name)
        }
        if rowCount < ForgettablePage.size {
            page.next = nil
        }
        return page
    }
}

/// Some of the channels that have to lose events.
struct ForgettablePage: Sendable {
    /// The channels looked at for one page.
    static let size = 256

    var channels: [ChannelName] = []

    /// Where the next page begins; `nil` on the last.
    var next: Int64?
}

extension Row {
    /// The blob of a column, copied once.
    func bytes(at index: Int) throws -> [UInt8] {
        try self.withUnsafeData(atIndex: index) { $0.map(Array.init) ?? [] }
    }
}
