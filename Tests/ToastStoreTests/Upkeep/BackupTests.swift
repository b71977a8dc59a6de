import Foundation
import GRDB
import Testing
import ToastCore

@testable import ToastStore

@Suite struct BackupTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let copy: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("toast.db")
        self.copy = self.directory.file("copy.db")
    }

    @Test func `a backup that is made during traffic is sound, and of one moment`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.fill("a", toasts: 5)
        let copies = try await withThrowingTaskGroup { group in
            for channel in ["a", "b", "c"] {
                group.addTask {
                    try await store.fill(channel, toasts: 200)
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

    @Test func `a restored backup has another epoch, so that every consumer starts over`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.fill(toasts: 10)
        let before = try await store.load(.make())
        _ = try Backup.write(self.path, to: self.copy, replaces: false)
        try await store.fill(toasts: 5)
        let restored = try SQLiteStore(path: self.copy)
        #expect(restored.epoch != store.epoch)
        #expect(try await restored.load(.make()) == before)
        try await restored.fill(toasts: 1)
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

    @Test func `a backup takes the place of no device, pipe, link or directory`() async throws {
        let store = try SQLiteStore(path: self.path)
        let pipe = self.directory.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let link = self.directory.file("stdout")
        try Data("other".utf8).write(to: URL(fileURLWithPath: self.copy))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: self.copy)
        for name in [pipe, link, self.directory.path] {
            #expect { try Backup.write(self.path, to: name, replaces: true) } throws: {
                "\($0)".contains("is not a regular file")
            }
        }
        let kind = try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType
        #expect(kind != .typeRegular)
        await store.close()
    }

    @Test(arguments: ["", "-wal", "-shm", "-lock"])
    func `a backup takes the place of no file that the store is in`(part: String) async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.fill(toasts: 1)
        let link = self.directory.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: self.path + part)
        for file in [self.path + part, self.directory.file("./toast.db" + part), link] {
            #expect { try Backup.write(self.path, to: file, replaces: true) } throws: { "\($0)".contains("itself") }
        }
        try await store.fill(toasts: 1)
        await store.close()
        let again = try SQLiteStore(path: self.path)
        #expect(again.epoch == store.epoch)
        await again.close()
    }

    @Test func `a damaged store gives no backup`() async throws {
        try await SQLiteStore.makeDamaged(at: self.path, by: "DELETE FROM events WHERE channel_id = 2 AND offset = 9")
        #expect { try Backup.write(self.path, to: self.copy, replaces: false) } throws: { "\($0)".contains("Event 9") }
        let left = try FileManager.default.contentsOfDirectory(atPath: self.directory.path)
        #expect(!left.contains { $0.hasPrefix("copy") })
    }
}
