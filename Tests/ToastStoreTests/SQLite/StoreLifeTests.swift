import Foundation
import Testing
import ToastCore

@testable import ToastStore

/// The epoch of a database after its process, or the whole machine, has stopped.
@Suite struct StoreLifeTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("toast.db")
    }

    /// A copy of the files of a store that was not closed.
    private func abandon(boot: String, events: Int64 = 3) async throws -> (path: String, epoch: Epoch) {
        let store = try SQLiteStore(path: self.path, boot: boot)
        for place in 0..<events { try await store.append(.make(after: place)) }
        let copy = self.directory.file("abandoned.db")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: self.path + suffix, toPath: copy + suffix)
        }
        await store.close()
        return (copy, store.epoch)
    }

    @Test func `a store that was not closed keeps its epoch in the same boot`() async throws {
        let (copy, epoch) = try await self.abandon(boot: "monday")
        let again = try SQLiteStore(path: copy, boot: "monday")
        #expect(again.epoch == epoch)
        await again.close()
    }

    @Test func `a store that was not closed has another epoch in another boot, and says so`() async throws {
        let (copy, epoch) = try await self.abandon(boot: "monday")
        let notices = Notices()
        let again = try SQLiteStore(path: copy, boot: "tuesday") { notices.add($0) }
        #expect(again.epoch != epoch)
        #expect(notices.all == [.newEpoch])
        #expect(try await again.load(.make()).tail.offsets == [1, 2, 3])
        await again.close()
    }

    @Test func `a store that was closed keeps its epoch in every boot`() async throws {
        let store = try SQLiteStore(path: self.path, boot: "monday")
        try await store.append(.make())
        await store.close()
        let notices = Notices()
        for boot in ["tuesday", "wednesday"] {
            let again = try SQLiteStore(path: self.path, boot: boot) { notices.add($0) }
            #expect(again.epoch == store.epoch)
            await again.close()
        }
        #expect(notices.all == [])
    }

    @Test func `each server that begins with a backup gives it an epoch of its own`() async throws {
        let store = try SQLiteStore(path: self.path)
        try await store.append(.make())
        let copy = self.directory.file("copy.db")
        try Backup.copy(self.path, to: copy)
        var epochs: Set<Epoch> = [store.epoch]
        for number in 0..<3 {
            let restored = self.directory.file("restored\(number).db")
            try FileManager.default.copyItem(atPath: copy, toPath: restored)
            let server = try SQLiteStore(path: restored)
            epochs.insert(server.epoch)
            await server.close()
        }
        #expect(epochs.count == 4)
        await store.close()
    }
}
