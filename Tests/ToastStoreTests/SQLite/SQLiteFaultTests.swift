import Foundation
import GRDB
import Testing
import ToastCore

@testable import ToastStore

/// Failing disks, damaged files, and files of other programs.
@Suite struct SQLiteFaultTests {
    private let ops = ChannelName.make()
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("toast.db")
    }

    private func isUnavailable(_ error: any Error, saying text: String) -> Bool {
        guard case StoreError.unavailable(let reason) = error else { return false }
        return reason.contains(text)
    }

    private func isCorrupt(_ error: any Error, saying text: String) -> Bool {
        guard case StoreError.corrupt(let reason) = error else { return false }
        return reason.contains(text)
    }

    @Test func `a full disk refuses, keeps what was there, and recovers by itself`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.append(.make())
        try await store.writer.execute("PRAGMA max_page_count = 1")
        let large = StoredEvent(offset: Offset(rawValue: 2), at: .at(0), envelope: Array(repeating: 1, count: 100_000))
        let change = Append(channel: self.ops, expected: .origin.next, events: .written([large]), records: [.make("a")])
        for _ in 0..<3 {
            await #expect { try await store.append(change) } throws: { self.isUnavailable($0, saying: "disk is full") }
        }
        #expect(try await store.load(self.ops).tail.offsets == [1])
        #expect(try await store.record(of: self.ops, key: .make("a")) == nil)

        try await store.writer.execute("PRAGMA max_page_count = 1000000")
        try await store.append(change)
        #expect(try await store.load(self.ops).tail.offsets == [1, 2])
        await store.close()
    }

    @Test func `a failed transaction fails all of its changes`() async throws {
        let queue = try DatabaseQueue(path: self.path)
        try Schema.migrator.migrate(queue)
        try await queue.writeWithoutTransaction { database in
            let counts = try StoreCounts(database)
            let session = SQLiteWriterSession(database: database, retention: .standard, counts: counts)
            let appends = ["a", "b"].map { SQLiteWriterSession.appending(.make($0)) }
            #expect {
                try session.perform([appends[0], SQLiteWriterSession.executing("no SQL"), appends[1]])
            } throws: { self.isUnavailable($0, saying: "failed") }
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM events")
            #expect(count == 0)
            #expect(try session.perform(appends) == [.success(0), .success(0)])
        }
    }

    @Test func `a database that became read-only refuses and recovers`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.writer.execute("PRAGMA query_only = 1")
        await #expect { try await store.append(.make()) } throws: {
            self.isUnavailable($0, saying: "cannot be written")
        }
        await store.close()
        let again = try SQLiteStore(path: self.path)
        #expect(try await again.load(self.ops) == .fresh())
        try await again.append(.make())
        await again.close()
    }

    @Test func `a file that is no database is refused and left alone`() throws {
        let text = Data(String(repeating: "not a database\n", count: 100).utf8)
        try text.write(to: URL(fileURLWithPath: self.path))
        #expect { try SQLiteStore(path: self.path) } throws: { self.isCorrupt($0, saying: "Restore it from a backup") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: self.path)) == text)
    }

    @Test func `a damaged database is refused`() async throws {
        let store = try SQLiteStore(path: self.path)
        for place: Int64 in 0..<200 {
            try await store.append(.make(after: place))
        }
        await store.close()
        let file = try #require(FileHandle(forUpdatingAtPath: self.path))
        let end = try file.seekToEnd()
        for page in stride(from: UInt64(4096), to: end, by: 4096) {
            try file.seek(toOffset: page)
            try file.write(contentsOf: Data(repeating: 0xEE, count: 4096))
        }
        try file.close()
        #expect { try SQLiteStore(path: self.path) } throws: { self.isCorrupt($0, saying: "damaged") }
    }

    @Test func `a file that was cut is refused`() async throws {
        let store = try SQLiteStore(path: self.path)
        for place: Int64 in 0..<200 { try await store.append(.make(after: place)) }
        await store.close()
        let file = try #require(FileHandle(forUpdatingAtPath: self.path))
        try file.truncate(atOffset: try file.seekToEnd() - 8192)
        try file.close()
        #expect { try SQLiteStore(path: self.path) } throws: { self.isCorrupt($0, saying: "damaged") }
    }

    @Test(arguments: [0, 18, 24, 60, 100])
    func `an overwritten header is refused`(start: UInt64) async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.append(.make())
        await store.close()
        let file = try #require(FileHandle(forUpdatingAtPath: self.path))
        try file.seek(toOffset: start)
        try file.write(contentsOf: Data(repeating: 0xEE, count: 64))
        try file.close()
        #expect { try SQLiteStore(path: self.path) } throws: { error in
            guard case StoreError.corrupt = error else { return false }
            return true
        }
    }

    @Test func `a large database is not checked completely, whatever its name`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.writer.execute("CREATE TABLE filler AS SELECT zeroblob(20000000) AS bytes")
        await store.close()
        let file = try #require(FileHandle(forUpdatingAtPath: self.path))
        try file.seek(toOffset: 2000 * 4096)
        try file.write(contentsOf: Data(repeating: 0xEE, count: 4096))
        try file.close()
        let link = self.directory.file("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: self.path)
        for name in [self.path, link] {
            let again = try SQLiteStore(path: name)
            await again.close()
        }
    }

    @Test func `a read of a closed store is refused, and no fault`() async throws {
        let notices = Notices()
        let store = try SQLiteStore(path: self.path) { notices.add($0) }
        await store.close()
        await #expect(throws: StoreError.closed) { try await store.load(self.ops) }
        #expect(notices.all == [])
    }

    @Test func `a damaged channel does not affect the others`() async throws {
        let notices = Notices()
        let store = try SQLiteStore(path: self.path) { notices.add($0) }
        // From now on SQLite fails events of one channel only, as with a damaged page.
        try await store.append(.make("sick"))
        try await store.append(.make("well"))
        try await store.writer.execute(
            """
            CREATE TRIGGER damage BEFORE INSERT ON events WHEN NEW.channel_id = 1
            BEGIN SELECT raise(ABORT, 'damaged page'); END
            """
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect { try await store.append(.make("sick", after: 1)) } throws: {
                    self.isUnavailable($0, saying: "damaged page")
                }
            }
            for number in 0..<50 { group.addTask { try await store.append(.make("c\(number)")) } }
            try await group.waitForAll()
        }
        try await store.append(.make("well", after: 1))
        #expect(store.failure == nil)
        #expect(notices.all.count == 1)
        let isFault = if case .fault = notices.all.first { true } else { false }
        #expect(isFault, "The log has to hear of it.")
        await store.close()
    }

    @Test func `a store that failed recovers without an append`() async throws {
        let notices = Notices()
        let store = try SQLiteStore(path: self.path) { notices.add($0) }
        try await store.append(.make())
        try await store.writer.execute("PRAGMA max_page_count = 1")
        await #expect { try await store.append(.make("large", count: 500)) } throws: {
            self.isUnavailable($0, saying: "disk is full")
        }
        let failure = try #require(store.failure)
        #expect(self.isUnavailable(failure, saying: "SQLite error 13"))
        try await store.writer.execute("PRAGMA max_page_count = 1000000")
        await notices.arrival(of: .recovered)
        #expect(store.failure == nil)
        #expect(notices.all == [.failing(failure), .recovered])
        #expect(try await store.load(self.ops).tail.offsets == [1])
        #expect(try await store.channels(after: nil, limit: 9) == [self.ops])
        await store.close()
    }

    @Test func `a channel that cannot be read does not fail other reads of its transaction`() async throws {
        let store = try SQLiteStore(path: self.path)
        for channel in 0..<50 { try await store.append(.make("c\(channel)", count: 2)) }
        try await store.writer.execute("UPDATE events SET envelope = x'00' WHERE channel_id % 7 = 0")
        let readable = await withTaskGroup(of: Bool.self) { group in
            for channel in 0..<50 {
                group.addTask {
                    do { return try await store.load(.make("c\(channel)")).last > .origin } catch { return false }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(readable == 43)
        await store.close()
    }

    @Test func `missing events are never folded`() async throws {
        let store = try SQLiteStore(path: self.path)
        for place: Int64 in 0..<9 { try await store.append(.make(after: place)) }
        for (damage, reason) in [("offset < 3", "lacks the events"), ("offset = 5", "does not follow")] {
            try await store.writer.execute("DELETE FROM events WHERE \(damage)")
            await #expect { try await store.load(self.ops) } throws: { self.isCorrupt($0, saying: reason) }
        }
        await store.close()
    }

    @Test func `a database of another program is refused and left alone`() throws {
        let queue = try DatabaseQueue(path: self.path)
        try queue.write { try $0.execute(sql: "CREATE TABLE mine (x); INSERT INTO mine VALUES (1)") }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: self.path))
        #expect { try SQLiteStore(path: self.path) } throws: { self.isCorrupt($0, saying: "another program") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: self.path)) == before)
    }

    @Test func `a database of a newer toastd is refused`() async throws {
        await (try SQLiteStore(path: self.path)).close()
        let queue = try DatabaseQueue(path: self.path)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99: the future')") }
        try queue.close()
        #expect { try SQLiteStore(path: self.path) } throws: { self.isCorrupt($0, saying: "newer toastd") }
    }

    @Test func `an interrupted creation is completed`() async throws {
        let queue = try DatabaseQueue(path: self.path)
        try await queue.write {
            try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        }
        try queue.close()
        let store = try SQLiteStore(path: self.path)
        try await store.append(.make())
        await store.close()
    }

    @Test func `a file has one store at a time`() async throws {
        let store = try SQLiteStore(path: self.path)
        #expect { try SQLiteStore(path: self.path) } throws: { self.isUnavailable($0, saying: "Another toastd") }
        try await store.append(.make())
        await store.close()
        await (try SQLiteStore(path: self.path)).close()
    }

    @Test func `a missing directory is created`() async throws {
        let deep = self.directory.file("a/b/toast.db")
        await (try SQLiteStore(path: deep)).close()
        #expect(FileManager.default.fileExists(atPath: deep))
    }

    @Test func `a directory that cannot be created is named`() throws {
        try Data().write(to: URL(fileURLWithPath: self.path))
        #expect { try SQLiteStore(path: self.path + "/toast.db") } throws: { self.isUnavailable($0, saying: self.path) }
    }
}
