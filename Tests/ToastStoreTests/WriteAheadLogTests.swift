import Foundation
import GRDB
import Testing
import ToastCore

@testable import ToastStore

/// How commits reach SQLite's log.
@Suite struct WriteAheadLogTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        #expect(SystemCalls.gathersLog)
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("toast.db")
    }

    @Test func `a commit is one write, however many pages it touches`() throws {
        try self.withLedger { database, ledger in
            try self.add(1, to: 40, with: ledger)
            let before = try self.writesOfThread()
            try self.add(2, to: 40, with: ledger)
            #expect(try self.writesOfThread() == before + 1)
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            #expect(pages > 10)
        }
    }

    @Test func `what was committed is in the files, though nobody closed them`() throws {
        try self.withLedger { _, ledger in
            for offset in 1...3 { try self.add(Int64(offset), to: 40, with: ledger) }
            #expect(try self.eventCount(inCopyNamed: "killed.db") == 120)
        }
    }

    @Test(arguments: [4000, 120_000, 140_000, 1_000_000])
    func `a commit is whole, also when it is larger than what is gathered`(size: Int) throws {
        try self.withLedger { _, ledger in
            for offset in 1...3 { try self.add(Int64(offset), of: size, to: 2, with: ledger) }
            #expect(try self.eventCount(inCopyNamed: "killed.db") == 6)
        }
    }

    @Test func `a transaction that is taken back leaves nothing, and the next one is whole`() throws {
        try self.withLedger { database, ledger in
            try self.add(1, to: 2, with: ledger)
            // Pages that the cache has no room for go to the log before the transaction ends.
            try database.execute(sql: "PRAGMA cache_size = 10")
            try database.inTransaction {
                try database.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                        INSERT INTO events (channel_id, offset, at, envelope) SELECT i + 9, 1, 0, zeroblob(900) FROM n
                        """
                )
                return .rollback
            }
            try self.add(2, to: 2, with: ledger)
            #expect(try self.eventCount(inCopyNamed: "killed.db") == 4)
        }
    }

    private func withLedger(_ body: (Database, Ledger) throws -> Void) throws {
        let queue = try DatabaseQueue(path: self.path)
        try Schema.migrator.migrate(queue)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            try body(database, Ledger(database: database, retention: .standard))
        }
    }

    /// One event for each of some channels, in one transaction.
    private func add(_ offset: Int64, of size: Int = 900, to channels: Int, with ledger: Ledger) throws {
        let event = StoredEvent(
            offset: Offset(rawValue: offset),
            at: .at(0),
            envelope: Array(repeating: UInt8(ascii: "x"), count: size)
        )
        let jobs = (1...channels).map { number in
            Ledger.Job.append(
                Append(channel: .make("c\(number)"), expected: Offset(rawValue: offset - 1), events: [event])
            )
        }
        #expect(try ledger.perform(jobs) == jobs.map { _ in .success(0) })
    }

    /// Reads the database and its log as they are on disk now.
    private func eventCount(inCopyNamed name: String) throws -> Int {
        let copy = self.directory.file(name)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: self.path + suffix, toPath: copy + suffix)
        }
        return try DatabaseQueue(path: copy).read { database in
            #expect(try Soundness.faults(of: database, within: 1, isThorough: true) == [])
            return try Int.fetchOne(database, sql: "SELECT count(*) FROM events") ?? 0
        }
    }

    /// How often this thread asked the system to write something.
    private func writesOfThread() throws -> Int {
        let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscw: ") })
        return try #require(Int(line.dropFirst("syscw: ".count)))
    }
}
