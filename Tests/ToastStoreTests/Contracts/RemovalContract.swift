import Foundation
import Testing
import ToastCore

@testable import ToastStore

/// The contract about removing channels.
@Suite struct RemovalContract {
    private let ops = ChannelName.make()

    /// Adds data of every kind that a channel can have; the last offset is 4.
    private func fill(_ store: any EventLog & DeliveryQueue) async throws {
        try await store.setWebhooks([.make("a"), .make("b")], of: self.ops)
        try await store.append(.make(count: 3, at: 1, snapshot: true, deliveries: [.make("a", "m1", at: 1)]))
        try await store.append(
            .make(after: 3, at: 2, records: [.make("k", at: 2, about: .make(1))], deliveries: [.make("b", "m2", at: 2)])
        )
    }

    @Test(arguments: Adapter.allCases)
    func `a channel is removed with all that is kept of it`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await self.fill(store)
            try await store.append(.make("other", count: 2))
            try await store.setWebhooks([.make("a")], of: .make("other"))
            try await store.append(.make("other", after: 2, deliveries: [.make("a", "m3", at: 3)]))
            #expect(try await store.remove(self.ops, at: Offset(rawValue: 4)) == Offset(rawValue: 5))
            #expect(try await store.load(self.ops) == .fresh(at: 5))
            #expect(try await store.record(of: self.ops, key: .make("k")) == nil)
            #expect(try await store.outcome(of: .make(1), in: self.ops) == nil)
            #expect(try await store.recordCounts(of: self.ops) == [:])
            #expect(store.deliveryCounts.waiting == 1)
            let due = try await store.dueDeliveries(at: .at(9), limit: 9, share: .unlimited)
            #expect(due.map(\.channel) == [.make("other")])
            #expect(try await store.channelCount() == 1)
            #expect(try await store.channels(after: nil, limit: 9) == [.make("other")])
            #expect(try await store.load(.make("other")).last == Offset(rawValue: 3))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a channel in which something happened stays whole`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await self.fill(store)
            for offset: Int64 in [0, 3, 5] {
                #expect(try await store.remove(self.ops, at: Offset(rawValue: offset)) == nil)
            }
            #expect(try await store.load(self.ops).last == Offset(rawValue: 4))
            #expect(try await store.load(self.ops).webhooks.count == 2)
            #expect(try await store.record(of: self.ops, key: .make("k")) != nil)
            #expect(store.deliveryCounts.waiting == 2)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a channel begins anew for every cursor of one that was removed`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await self.fill(store)
            #expect(try await store.remove(self.ops, at: Offset(rawValue: 4)) == Offset(rawValue: 5))
            for after: Int64 in 0...4 {
                #expect(try await store.events(of: self.ops, after: Offset(rawValue: after), limit: 9).isCut)
            }
            #expect(try await !store.events(of: self.ops, after: Offset(rawValue: 5), limit: 9).isCut)
            try await store.append(.make(after: 5, count: 2, at: 3))
            #expect(try await store.load(self.ops).tail.offsets == [6, 7])
            for after: Int64 in 0...4 {
                #expect(try await store.events(of: self.ops, after: Offset(rawValue: after), limit: 9).isCut)
            }
            let history = try await store.events(of: self.ops, after: Offset(rawValue: 5), limit: 9)
            #expect(history.events.offsets == [6, 7])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a channel that is not there is removed already`(adapter: Adapter) async throws {
        try await adapter.run { store in
            #expect(try await store.remove(self.ops, at: .origin) == .origin)
            try await store.setWebhooks([.make("a")], of: self.ops)
            #expect(try await store.remove(self.ops, at: .origin) == .origin)
            #expect(try await store.channelCount() == 0)
        }
    }

    @Test func `a removal survives a process that ends without closing, whole or not at all`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("toast.db")
        let store = try SQLiteStore(path: path)
        try await self.fill(store)
        let size = try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).count
        #expect(try await store.remove(self.ops, at: Offset(rawValue: 4)) != nil)
        let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
        for length in [size, (size + log.count) / 2, log.count - 1, log.count] {
            let copy = directory.file("copy-\(length).db")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            try log.prefix(length).write(to: URL(fileURLWithPath: copy + "-wal"))
            let survivor = try SQLiteStore(path: copy)
            let isGone = length == log.count
            #expect(try await survivor.load(self.ops).last == Offset(rawValue: isGone ? 5 : 4))
            #expect(try await (survivor.record(of: self.ops, key: .make("k")) == nil) == isGone)
            #expect(survivor.deliveryCounts.waiting == (isGone ? 0 : 2))
            #expect(try await survivor.load(.make("new")).last == (isGone ? Offset(rawValue: 5) : .origin))
            await survivor.close()
            let inspection = try Inspection(path: copy)
            #expect(inspection.faults.allSatisfy { !$0.contains("belong to nothing") })
        }
        await store.close()
    }
}
