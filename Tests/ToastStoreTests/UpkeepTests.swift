import Foundation
import GRDB
import Testing
import ToastCore

@testable import ToastStore

/// Looking a database through, and copying it.
@Suite struct UpkeepTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let copy: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("toast.db")
        self.copy = self.directory.file("copy.db")
    }

    /// Appends what an engine decides about so many toasts, with a snapshot behind half of them.
    private func fill(_ store: SQLiteStore, _ channel: String = "ops", toasts: Int) async throws {
        var engine = Engine(channel: .make(channel), epoch: store.epoch)
        let stored = try await store.load(.make(channel))
        if let snapshot = stored.snapshot {
            engine = try Engine(channel: .make(channel), epoch: store.epoch, restoring: snapshot.state)
        }
        for event in stored.tail { engine.fold(try Event(envelope: event.envelope)) }
        var random = SystemRandomNumberGenerator()
        for number in 0..<toasts {
            let before = engine.offset
            let at = Instant.at(Double(number))
            let toast = Command.NewToast(
                id: ToastID(at: at, using: &random),
                draft: try ToastDraft(message: "\(number)")
            )
            let events = try engine.apply(.enqueue([toast]), at: at)
            let change = Append(
                channel: .make(channel),
                expected: before,
                events: .unwritten(events),
                snapshot: number == toasts / 2
                    ? StoredSnapshot(offset: engine.offset, state: engine.snapshotState()) : nil
            )
            try await store.append(change)
        }
    }

    /// A closed database of three channels, damaged by a statement.
    private func damaged(by sql: String) async throws -> Inspection {
        let store = try SQLiteStore(path: self.path)
        for channel in ["a", "b", "c"] { try await self.fill(store, channel, toasts: 10) }
        _ = try await store.writer.perform(.execute(sql))
        await store.close()
        return try Inspection(path: self.path)
    }

    @Test func `a sound store is found sound while it is at work`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await self.fill(store, "a", toasts: 10)
        try await self.fill(store, "b", toasts: 3)
        let inspection = try Inspection(path: self.path)
        #expect(inspection.faults == [])
        #expect(inspection.channels == 2)
        #expect(inspection.events == 13)
        #expect(inspection.size > 0)
        try await self.fill(store, "a", toasts: 1)
        await store.close()
        #expect(try Inspection(path: self.path).events == 14)
    }

    @Test(arguments: [
        ("DELETE FROM events WHERE channel_id = 2 AND offset = 9", "Channel b: Event 9 is missing."),
        ("DELETE FROM events WHERE channel_id = 2 AND offset <= 8", "Channel b: Events from 7 on are missing."),
        ("DELETE FROM events WHERE channel_id = 2 AND offset >= 5", "Channel b: The snapshot is of event 6"),
        (
            "UPDATE events SET envelope = x'7B7D' WHERE channel_id = 2 AND offset = 3",
            "Channel b: Event 3 makes no sense"
        ),
        ("UPDATE snapshots SET state = x'00' WHERE channel_id = 2", "Channel b: "),
        ("UPDATE snapshots SET offset = 5 WHERE channel_id = 2", "Channel b: The snapshot says that it is of event 6"),
        ("UPDATE channels SET name = 'no name' WHERE id = 2", "Channel number 2"),
        ("DELETE FROM channels WHERE id = 2", "10 events belong to nothing."),
        ("INSERT INTO deliveries (webhook_id, message, at, due, payload) VALUES (7, '', 0, 0, x'')", "1 deliveries"),
        ("DELETE FROM meta", "no epoch"),
    ])
    func `a fault is named with its channel`(sql: String, fault: String) async throws {
        let inspection = try await self.damaged(by: sql)
        #expect(inspection.faults.contains { $0.contains(fault) }, "\(inspection.faults)")
    }

    @Test func `events that an older version wrote are looked through as they are`() async throws {
        let inspection = try await self.damaged(
            by: """
                ALTER TABLE events DROP COLUMN count;
                DELETE FROM grdb_migrations WHERE identifier = 'runs';
                """
        )
        #expect(inspection.faults == [])
        #expect(inspection.events == 30)
        let store = try SQLiteStore(path: self.path)
        try await self.fill(store, "b", toasts: 1)
        #expect(try await store.load(.make("b")).last == Offset(rawValue: 11))
        await store.close()
    }

    @Test func `an index that disagrees with its table is found`() async throws {
        let inspection = try await self.damaged(
            by: """
                PRAGMA writable_schema = 1;
                UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'records_by_age')
                WHERE name = 'events_by_channel';
                """
        )
        #expect(!inspection.faults.isEmpty)
    }

    @Test func `a file that is no database has a fault, a missing one cannot be looked at`() throws {
        #expect { try Inspection(path: self.path) } throws: { error in
            guard case StoreError.unavailable = error else { return false }
            return true
        }
        try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: self.path))
        #expect(try Inspection(path: self.path).faults.count == 1)
    }

    @Test func `a backup that is made during traffic is sound, and of one moment`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await self.fill(store, "a", toasts: 5)
        let copies = try await withThrowingTaskGroup { group in
            for channel in ["a", "b", "c"] {
                group.addTask {
                    try await self.fill(store, channel, toasts: 200)
                    return [Inspection]()
                }
            }
            group.addTask {
                try (0..<5).map { try Backup.write(self.path, to: "\(self.copy)\($0)", replaces: false) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(copies.map(\.faults) == Array(repeating: [], count: 5))
        #expect(copies.map(\.events) == copies.map(\.events).sorted())
        #expect(try FileManager.default.contentsOfDirectory(atPath: self.directory.path).count == 9)
        await store.close()
    }

    @Test func `a restored backup is another life, and tells every consumer to start over`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await self.fill(store, toasts: 10)
        let before = try await store.load(.make())
        _ = try Backup.write(self.path, to: self.copy, replaces: false)
        try await self.fill(store, toasts: 5)
        let restored = try SQLiteStore(path: self.copy)
        #expect(restored.epoch != store.epoch)
        #expect(try await restored.load(.make()) == before)
        try await self.fill(restored, toasts: 1)
        await restored.close()
        await store.close()
    }

    @Test func `a backup replaces nothing unless told to`() async throws {
        let store = try SQLiteStore(path: self.path)
        let old = URL(fileURLWithPath: self.copy)
        try Data("old".utf8).write(to: old)
        #expect { try Backup.write(self.path, to: self.copy, replaces: false) } throws: { "\($0)".contains("--force") }
        #expect(try Data(contentsOf: old) == Data("old".utf8))
        _ = try Backup.write(self.path, to: self.copy, replaces: true)
        #expect(try Inspection(path: self.copy).faults == [])
        await store.close()
    }

    @Test(arguments: ["", "-wal", "-shm", "-lock"])
    func `a backup takes the place of no file that the store is in`(part: String) async throws {
        let store = try SQLiteStore(path: self.path)
        try await self.fill(store, toasts: 1)
        let link = self.directory.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: self.path + part)
        for file in [self.path + part, self.directory.file("./toast.db" + part), link] {
            #expect { try Backup.write(self.path, to: file, replaces: true) } throws: { "\($0)".contains("itself") }
        }
        try await self.fill(store, toasts: 1)
        await store.close()
        let again = try SQLiteStore(path: self.path)
        #expect(again.epoch == store.epoch)
        await again.close()
    }

    @Test func `a damaged store gives no backup`() async throws {
        _ = try await self.damaged(by: "DELETE FROM events WHERE channel_id = 2 AND offset = 9")
        #expect { try Backup.write(self.path, to: self.copy, replaces: false) } throws: { "\($0)".contains("Event 9") }
        let left = try FileManager.default.contentsOfDirectory(atPath: self.directory.path)
        #expect(!left.contains { $0.hasPrefix("copy") })
    }
}
