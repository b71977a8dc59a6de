import Dispatch
import Foundation
import GRDB
import Metrics
import Testing
import ToastCore

@testable import ToastStore

@Suite struct SQLiteStoreTests {
    private let ops = ChannelName.make()
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("toast.db")
    }

    @Test func `a reopened store has everything and the same epoch`() async throws {
        let store = try SQLiteStore(path: self.path)
        let epoch = store.epoch
        try await store.append(.make(count: 3, snapshot: true, records: [.make("a")]))
        try await store.append(.make(after: 3, count: 2))
        let before = try await store.load(self.ops)
        await store.close()

        let again = try SQLiteStore(path: self.path)
        #expect(again.epoch == epoch)
        #expect(try await again.load(self.ops) == before)
        #expect(try await again.record(of: self.ops, key: .make("a")) == .make("a"))
        await #expect(throws: StoreError.conflict(current: Offset(rawValue: 5))) {
            try await again.append(.make(after: 4))
        }
        try await again.append(.make(after: 5))
        await again.close()
    }

    @Test func `two files have two epochs`() async throws {
        let one = try SQLiteStore(path: self.path)
        let other = try SQLiteStore(path: self.directory.file("other.db"))
        #expect(one.epoch != other.epoch)
        await one.close()
        await other.close()
    }

    @Test func `acknowledged events survive a process that ends without closing`() async throws {
        let store = try SQLiteStore(path: self.path)
        for place: Int64 in 0..<50 {
            try await store.append(.make(after: place))
        }
        let copy = self.directory.file("copy.db")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: self.path + suffix, toPath: copy + suffix)
        }
        let survivor = try SQLiteStore(path: copy)
        #expect(try await survivor.load(self.ops).tail.offsets == Array(1...50))
        await survivor.close()
        await store.close()
    }

    @Test func `an interrupted commit has no effect`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.append(.make(count: 3))
        try await store.append(.make(after: 3, count: 3))
        let copy = self.directory.file("copy.db")
        try FileManager.default.copyItem(atPath: self.path, toPath: copy)
        let wal = try Data(contentsOf: URL(fileURLWithPath: self.path + "-wal"))
        try wal.dropLast(100).write(to: URL(fileURLWithPath: copy + "-wal"))

        let survivor = try SQLiteStore(path: copy)
        #expect(try await survivor.load(self.ops).tail.offsets == [1, 2, 3])
        await survivor.close()
        await store.close()
    }

    @Test func `appends that wait together share a transaction`() async throws {
        let store = try SQLiteStore(path: self.path)
        let before = store.commits.sizes.reading.count
        try await withThrowingTaskGroup { group in
            for channel in 0..<400 {
                group.addTask { try await store.append(.make("c\(channel)")) }
            }
            try await group.waitForAll()
        }
        let transactions = store.commits.sizes.reading.count - before
        #expect(transactions < 200)
        #expect(try await store.channels(after: nil, limit: 1000).count == 400)
        await store.close()
    }

    @Test func `a read that waits for a reader sees all that was acknowledged before it`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.append(.make())
        let gate = DispatchSemaphore(value: 0)
        var readers: [Task<Void, any Error>] = []
        for _ in 0..<SQLiteReader.connections {
            let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
            let reader = Task {
                try await store.read { database in
                    // From here on, its reads see the database as of now.
                    _ = try database.channel(.make())
                    arrival.finish()
                    gate.wait()
                }
            }
            for await _ in arrivals {}
            readers.append(reader)
        }
        try await store.append(.make(after: 1))
        let late = Task.immediate { try await store.load(.make()).last }
        for _ in readers { gate.signal() }
        #expect(try await late.value == Offset(rawValue: 2))
        for reader in readers { try await reader.value }
        await store.close()
    }

    @Test func `closing writes out what was accepted`() async throws {
        let store = try SQLiteStore(path: self.path)
        let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for channel in 0..<100 {
                group.addTask {
                    do {
                        try await store.append(.make("c\(channel)"))
                        return true
                    } catch StoreError.unavailable {
                        return false
                    }
                }
            }
            group.addTask {
                await store.close()
                return false
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        let again = try SQLiteStore(path: self.path)
        #expect(try await again.channels(after: nil, limit: 1000).count == accepted)
        await again.close()
    }

    @Test func `a cancelled append is written all the same`() async throws {
        let store = try SQLiteStore(path: self.path)
        let last = try await withThrowingTaskGroup(of: Offset?.self) { group in
            group.cancelAll()
            group.addTask {
                try await store.append(.make())
                return try await store.load(self.ops).last
            }
            return try await group.next() ?? nil
        }
        #expect(last == .origin.next)
        await store.close()
    }

    @Test func `a conflict does not fail the other appends of its transaction`() async throws {
        let retention = Retention.standard
        let queue = try DatabaseQueue(path: self.path)
        try Schema.migrator.migrate(queue)
        try await queue.writeWithoutTransaction { database in
            let counts = try StoreCounts(database)
            let session = SQLiteWriterSession(database: database, retention: retention, counts: counts)
            let appends: [Append] = [
                .make("a"), .make("a", after: 7), .make("b", count: 2), .make("a", after: 1), .make("b", after: 1),
            ]
            let outcomes = try session.perform(appends.map(SQLiteWriterSession.appending))
            #expect(
                outcomes == [
                    .success(0), .failure(.conflict(current: Offset(rawValue: 1))), .success(0), .success(0),
                    .failure(.conflict(current: Offset(rawValue: 2))),
                ]
            )
        }
    }

    @Test func `pruning and appending go on side by side`() async throws {
        let store = try SQLiteStore(path: self.path, retention: .make(events: 10))
        try await withThrowingTaskGroup { group in
            for channel in 0..<20 {
                group.addTask {
                    for place: Int64 in 0..<50 {
                        try await store.append(.make("c\(channel)", after: place, snapshot: true))
                    }
                }
            }
            group.addTask {
                for _ in 0..<20 { try await store.prune(at: .at(0)) }
            }
            try await group.waitForAll()
        }
        try await store.prune(at: .at(0))
        for channel in 0..<20 {
            let history = try await store.events(of: .make("c\(channel)"), after: .origin, limit: 99)
            #expect(history.events.offsets == Array(41...50))
        }
        await store.close()
    }

    @Test func `events of one instant share rows of a bounded length`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.append(.make(count: 300))
        try await store.append(.make(after: 300, count: 2, at: 1))
        let counts = try await store.read { try Int.fetchAll($0, sql: "SELECT count FROM events ORDER BY offset") }
        #expect(counts == [128, 128, 44, 2])
        await store.close()
    }

    @Test func `an unknown channel begins at the floor that the database has`() async throws {
        let store = try SQLiteStore(path: self.path)
        // As between the commit that forgets a channel and the end of its job, when the counted floor is an older one.
        try await store.writer.execute("UPDATE meta SET floor = 7")
        #expect(try await store.load(self.ops) == .fresh(at: 7))
        await store.close()
    }

    @Test(arguments: [
        "count = 3", "count = 1000", "count = 1 << 40, offset = 1 << 60", "envelope = substr(envelope, 2)",
        "envelope = x'FFFFFFFF'",
    ])
    func `events whose row is damaged are never given out`(damage: String) async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.append(.make(count: 4))
        try await store.writer.execute("UPDATE events SET \(damage)")
        await #expect {
            try await store.load(self.ops)
        } throws: { error in
            if case StoreError.corrupt = error { true } else { false }
        }
        await store.close()
    }

    @Test func `a row that names more events than it holds is damaged`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.append(.make(count: 4))
        try await store.append(.make(after: 4, count: 4, at: 1))
        try await store.writer.execute("UPDATE events SET count = 5 WHERE offset = 8")
        await #expect {
            try await store.events(of: self.ops, after: Offset(rawValue: 4), limit: 9)
        } throws: { error in
            if case StoreError.corrupt = error { true } else { false }
        }
        await store.close()
    }

    @Test func `keys and webhooks of a version without owners are kept`() async throws {
        do {
            let queue = try DatabaseQueue(path: self.path)
            try Schema.migrator.migrate(queue, upTo: "runs")
            try await queue.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO channels (id, name) VALUES (1, 'ops');
                        INSERT INTO records VALUES (1, 'old', 5, x'0102', x'7B7D');
                        INSERT INTO webhooks VALUES (1, 1, 0, 'https://example.org/a', 'acted', zeroblob(32), 1);
                        INSERT INTO deliveries (webhook_id, message, at, due, payload) VALUES (1, 'm', 1, 1, x'');
                        """
                )
            }
            try queue.close()
        }
        let store = try SQLiteStore(path: self.path)
        for owner in ["alice", "bob"] {
            let record = try await store.record(of: self.ops, key: .make("old", of: owner))
            #expect(record?.fingerprint == [1, 2])
            #expect(record?.response == Array("{}".utf8))
        }
        #expect(try await store.recordCounts(of: self.ops) == ["": 1])
        #expect(try await store.load(self.ops).webhooks == [.make("a", events: [.acted])])
        let due = try await store.dueDeliveries(at: .at(1), limit: 9, share: .unlimited)
        #expect(due.map(\.owner) == ["channel:ops"])
        // New rows have an owner.
        try await store.append(.make(records: [.make("new")]))
        #expect(try await store.recordCounts(of: self.ops) == ["": 1, "alice": 1])
        await store.close()
    }

    @Test func `no statement scans a table`() async throws {
        let queue = try DatabaseQueue(path: self.path)
        try Schema.migrator.migrate(queue)
        try await queue.read { database in
            for query in Query.allCases {
                let arguments = StatementArguments(
                    Array(repeating: 1, count: query.rawValue.count { $0 == "?" })
                )
                let plan = try Row.fetchAll(
                    database,
                    sql: "EXPLAIN QUERY PLAN " + query.rawValue,
                    arguments: arguments
                )
                let steps: [String] = plan.map { $0["detail"] }
                #expect(!steps.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(query): \(steps)")
            }
        }
    }

    @Test(arguments: [(SQLiteStore.Durability.process, 1), (.power, 2)])
    func `durability is the writer's synchronous mode`(durability: SQLiteStore.Durability, level: Int) throws {
        let pool = try SQLiteStore.open(self.path)
        try SQLiteStore.set(durability, of: pool)
        let actual = try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        #expect(actual == level)
        try pool.close()
    }

    @Test func `a store that is released releases its file`() async throws {
        var store: SQLiteStore? = try SQLiteStore(path: self.path)
        try await store?.append(.make())
        let writer = try #require(store?.writer)
        store = nil
        await writer.ended()
        let again = try SQLiteStore(path: self.path)
        #expect(try await again.load(self.ops).last == .origin.next)
        await again.close()
    }
}
