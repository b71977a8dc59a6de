import Foundation
import GRDB
import Testing
import ToastCore

@testable import ToastStore

@Suite struct InspectionTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("toast.db")
    }

    private func damaged(by sql: String) async throws -> Inspection {
        try await SQLiteStore.makeDamaged(at: self.path, by: sql)
        return try Inspection(path: self.path)
    }

    @Test func `a sound store is found sound while it is at work`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.fill("a", toasts: 10)
        try await store.fill("b", toasts: 3)
        let inspection = try Inspection(path: self.path)
        #expect(inspection.faults == [])
        #expect(inspection.channels == 2)
        #expect(inspection.events == 13)
        #expect(inspection.size > 0)
        try await store.fill("a", toasts: 1)
        await store.close()
        #expect(try Inspection(path: self.path).events == 14)
    }

    @Test(arguments: [
        ("DELETE FROM events WHERE channel_id = 2 AND offset = 9", "Channel b: Event 9 is missing."),
        ("DELETE FROM events WHERE channel_id = 2 AND offset <= 8", "Channel b: Events from 7 on are missing."),
        ("DELETE FROM events WHERE channel_id = 2 AND offset >= 5", "Channel b: The snapshot is of event 6"),
        (
            "UPDATE events SET envelope = x'7B7D' WHERE channel_id = 2 AND offset = 3",
            "Channel b: Event 3 is invalid"
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
        try await store.fill("b", toasts: 1)
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
}
