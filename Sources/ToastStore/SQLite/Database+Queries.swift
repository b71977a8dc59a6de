import GRDB
import ToastCore

extension Database {
    /// A statement from the connection's cache.
    func statement(_ query: Query) throws -> Statement { try self.cachedStatement(sql: query.rawValue) }

    func channel(_ name: ChannelName) throws -> (id: Int64, bounds: LogBounds)? {
        let statement = try self.statement(.bounds)
        guard let row = try Row.fetchOne(statement, arguments: [name.rawValue]) else { return nil }
        return (id: row[0], bounds: try LogBounds(row, floor: self.floor()))
    }

    /// What is stored of a channel, `nil` when it is unknown; parts that it does not have cost no query.
    func stored(_ name: ChannelName) throws -> StoredChannel? {
        let statement = try self.statement(.load)
        guard let row = try Row.fetchOne(statement, arguments: [name.rawValue]) else { return nil }
        let bounds = try LogBounds(row, floor: self.floor())
        let (id, hasSnapshot): (Int64, Bool) = (row[0], row[3] != nil)
        let (hasWebhooks, hasRecords): (Bool, Bool) = (row[4], row[5])
        let tail = try self.events(of: id, after: bounds.snapshot, limit: .max)
        guard tail.first.map({ $0.offset == bounds.snapshot.next }) ?? (bounds.last == bounds.snapshot) else {
            throw StoreError.corrupt("Channel \(name) lacks the events after its snapshot.")
        }
        return StoredChannel(
            snapshot: hasSnapshot ? try self.snapshot(of: id) : nil,
            tail: tail,
            last: bounds.last,
            webhooks: hasWebhooks ? try self.webhooks(of: id).map(\.webhook) : [],
            recordCount: hasRecords ? try self.fewRecords(of: id) : 0,
            openToasts: hasRecords ? try self.openToasts(of: id) : []
        )
    }

    /// The offset after which new channels begin; a database of an older version has no such column.
    func floor() throws -> Offset {
        guard try self.columns(in: "meta").contains(where: { $0.name == "floor" }) else { return .origin }
        let statement = try self.cachedStatement(sql: "SELECT floor FROM meta")
        return Offset(rawValue: try Int64.fetchOne(statement) ?? 0)
    }

    /// The number of waiting deliveries; walks over all of them.
    func deliveryCount() throws -> Int { try Int.fetchOne(self, sql: "SELECT count(*) FROM deliveries") ?? 0 }

    func snapshot(of channel: Int64) throws -> StoredSnapshot? {
        let statement = try self.statement(.snapshot)
        guard let row = try Row.fetchOne(statement, arguments: [channel]) else { return nil }
        return StoredSnapshot(offset: Offset(rawValue: row[0]), state: try row.bytes(at: 1))
    }

    /// Reads events and checks that there is no gap, so that a damaged log is never folded.
    ///
    /// The first one is returned however long it is; `bytes` bounds all together.
    func events(of channel: Int64, after offset: Offset, limit: Int, bytes: Int = .max) throws -> [StoredEvent] {
        let statement = try self.statement(.events)
        var (events, room): ([StoredEvent], Int) = ([], bytes)
        let rows = try Row.fetchCursor(statement, arguments: [channel, offset.rawValue, max(limit, 0)])
        while events.count < limit, let row = try rows.next() {
            let batch = try EventBatchRow(row)
            guard events.last.map({ $0.offset.next == batch.first }) ?? true else {
                throw StoreError.corrupt("Event \(batch.first.rawValue) of a channel does not follow the one before.")
            }
            for event in try batch.events().drop(while: { $0.offset <= offset }).prefix(limit - events.count) {
                guard events.isEmpty || event.envelope.count <= room else { return events }
                events.append(event)
                room -= event.envelope.count
            }
        }
        return events
    }

    func openToasts(of channel: Int64) throws -> [ToastID] {
        let statement = try self.statement(.openToasts)
        return try String.fetchAll(statement, arguments: [channel]).compactMap(ToastID.init)
    }

    /// The number of a channel's records; `nil` when there are more than a few.
    func fewRecords(of channel: Int64) throws -> Int? {
        let (statement, few) = (try self.statement(.records), 64)
        let count = try Int.fetchAll(statement, arguments: [channel, few + 1]).count
        return count > few ? nil : count
    }

    /// Reads a page of channels, and finds those that must forget events.
    func forgettable(after id: Int64, retention: Retention, before instant: Instant) throws -> ForgettablePage {
        let rows = try Row.fetchAll(self.statement(.forgettable), arguments: [id, ForgettablePage.size])
        let channels = rows.compactMap { row -> ChannelName? in
            let (first, last): (Int64, Int64) = (row[3], row[4])
            let isOverdue = Instant(nanoseconds: row[2]) < instant || last - first >= Int64(max(retention.events, 1))
            return isOverdue ? ChannelName(rawValue: row[1]) : nil
        }
        let end = rows.last.map { $0[0] as Int64 }
        return ForgettablePage(channels: channels, next: rows.count < ForgettablePage.size ? nil : end)
    }
}

/// Some of the channels that must forget events.
struct ForgettablePage: Sendable {
    /// The number of channels that one page looks at.
    static let size = 256

    let channels: [ChannelName]

    /// The id of the channel after which the next page begins; `nil` on the last page.
    let next: Int64?
}

extension IdempotencyRecord {
    /// Reads a row that begins with the columns of ``Query/record``.
    init(_ row: Row, of key: IdempotencyKey) throws {
        self.init(
            key: key,
            fingerprint: try row.bytes(at: 1),
            at: Instant(nanoseconds: row[0]),
            response: try row.bytes(at: 2),
            toast: (row[3] as String?).flatMap(ToastID.init),
            outcome: row.hasNull(atIndex: 4) ? nil : try row.bytes(at: 4)
        )
    }
}

extension Row {
    /// The blob of a column, copied once.
    func bytes(at index: Int) throws -> [UInt8] {
        try self.withUnsafeData(atIndex: index) { $0.map(Array.init) ?? [] }
    }
}
