import Testing
import ToastCore

@testable import ToastStore

/// The contract of ``ChannelDirectory``: listing, counting and forgetting.
@Suite struct ChannelDirectoryContract {
    private let ops = ChannelName.make()

    private func quiet(_ store: any ChannelDirectory, since seconds: Double) async throws -> [ChannelName] {
        try await store.quietChannels(after: nil, since: .at(seconds), limit: 100).names
    }

    @Test(arguments: Adapter.allCases)
    func `channels are listed in order and in pages`(adapter: Adapter) async throws {
        try await adapter.run { store in
            for name in ["b", "a_1", "C", "a-1", "9"] {
                try await store.append(.make(name))
            }
            let all = try await store.channels(after: nil, limit: 10)
            #expect(all.map(\.rawValue) == ["9", "C", "a-1", "a_1", "b"])
            #expect(try await store.channels(after: nil, limit: 2) == Array(all[..<2]))
            #expect(try await store.channels(after: .make("C"), limit: 2) == Array(all[2..<4]))
            #expect(try await store.channels(after: .make("a0"), limit: 9) == Array(all[3...]))
            #expect(try await store.channels(after: .make("b"), limit: 9) == [])
            #expect(try await store.channels(after: nil, limit: -1) == [])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `new channels past the limit are refused and existing ones can be used`(adapter: Adapter) async throws {
        try await adapter.run { store in
            store.limitChannels(to: 2)
            try await store.append(.make("a"))
            _ = try await store.setWebhooks([.make("x")], of: .make("b"))
            #expect(try await store.channelCount() == 2)
            await #expect(throws: StoreError.tooManyChannels) { try await store.append(.make("c")) }
            await #expect(throws: StoreError.tooManyChannels) {
                try await store.setWebhooks([.make("x")], of: .make("c"))
            }
            // An empty list of webhooks makes no channel.
            #expect(try await store.setWebhooks([], of: .make("c")) == 0)
            try await store.append(.make("a", after: 1))
            try await store.append(.make("b"))
            #expect(try await store.channels(after: nil, limit: 9) == [.make("a"), .make("b")])
            store.limitChannels(to: 3)
            try await store.append(.make("c"))
            #expect(try await store.channelCount() == 3)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `channels are quiet when nothing happened in them and nothing needs them`(adapter: Adapter) async throws {
        try await adapter.run(.make(recordAge: 1000)) { store in
            try await store.append(.make("lively", at: 50))
            try await store.append(.make("quiet", at: 49))
            try await store.append(.make("remembers", at: 1, records: [.make("key", at: 1)]))
            try await store.append(.make("calls", at: 1))
            _ = try await store.setWebhooks([.make("x")], of: .make("calls"))
            #expect(try await self.quiet(store, since: 50) == [.make("quiet")])
            #expect(try await !store.forget(.make("remembers"), at: .origin.next))
            #expect(try await !store.forget(.make("calls"), at: .origin.next))
            try await store.prune(at: .at(1002))
            _ = try await store.setWebhooks([], of: .make("calls"))
            #expect(try await self.quiet(store, since: 50) == [.make("calls"), .make("quiet"), .make("remembers")])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a scan of the channels continues where the last one ended`(adapter: Adapter) async throws {
        try await adapter.run { store in
            for number in 1...5 { try await store.append(.make("c\(number)")) }
            var (found, place, looks): ([ChannelName], ChannelName?, Int) = ([], nil, 0)
            repeat {
                let part = try await store.quietChannels(after: place, since: .at(9), limit: 2)
                (found, place, looks) = (found + part.names, part.next, looks + 1)
            } while place != nil && looks < 9
            #expect(found == (1...5).map { .make("c\($0)") })
            #expect(looks < 9)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a channel is forgotten whole, unless something happened in it`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.append(.make(count: 3, snapshot: true))
            try await store.append(.make(after: 3))
            #expect(try await !store.forget(self.ops, at: Offset(rawValue: 3)))
            #expect(try await store.load(self.ops).last == Offset(rawValue: 4))
            #expect(try await store.forget(self.ops, at: Offset(rawValue: 4)))
            #expect(try await !store.forget(self.ops, at: Offset(rawValue: 4)))
            #expect(try await store.load(self.ops) == .fresh(at: 4))
            #expect(try await store.channelCount() == 0)
            #expect(try await store.channels(after: nil, limit: 9) == [])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a channel with nothing but webhooks is forgotten after their removal`(adapter: Adapter) async throws {
        try await adapter.run { store in
            _ = try await store.setWebhooks([.make("x")], of: self.ops)
            try await store.append(.make("far", count: 8))
            try await store.forget(.make("far"), at: Offset(rawValue: 8))
            _ = try await store.setWebhooks([], of: self.ops)
            let last = try await store.load(self.ops).last
            #expect(try await store.forget(self.ops, at: last))
            #expect(try await store.channelCount() == 0)
            #expect(try await store.load(self.ops) == .fresh(at: 8))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `no offset of a forgotten channel is used again`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.append(.make(count: 5))
            try await store.append(.make("far", count: 8))
            #expect(try await store.forget(self.ops, at: Offset(rawValue: 5)))
            #expect(try await store.forget(.make("far"), at: Offset(rawValue: 8)))
            await #expect(throws: StoreError.conflict(current: Offset(rawValue: 8))) {
                try await store.append(.make(after: 9))
            }
            try await store.append(.make(after: 8, count: 2, at: 1))
            let channel = try await store.load(self.ops)
            #expect(channel.tail.offsets == [9, 10])
            #expect(channel.last == Offset(rawValue: 10))
            // A cursor from before misses events, unless it was at the offset where the channel begins anew.
            for (after, isCut): (Int64, Bool) in [(0, true), (5, true), (7, true), (8, false), (9, false), (11, true)] {
                let history = try await store.events(of: self.ops, after: Offset(rawValue: after), limit: 9)
                #expect(history.isCut == isCut, "after \(after)")
            }
            #expect(try await store.events(of: .make("new"), after: Offset(rawValue: 3), limit: 9).isCut)
            #expect(try await !store.events(of: .make("new"), after: Offset(rawValue: 8), limit: 9).isCut)
            await #expect(throws: StoreError.conflict(current: Offset(rawValue: 10))) {
                try await store.append(.make(after: 8))
            }
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a channel that is still in memory when it is forgotten can continue`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.append(.make(count: 2))
            try await store.append(.make("far", count: 8))
            _ = try await store.setWebhooks([.make("x")], of: .make("calls"))
            try await store.forget(self.ops, at: Offset(rawValue: 2))
            try await store.forget(.make("far"), at: Offset(rawValue: 8))
            try await store.append(.make(after: 2, records: [.make("key")]))
            #expect(try await store.load(self.ops).tail.offsets == [3])
            #expect(try await store.events(of: self.ops, after: .origin, limit: 9).isCut)
            // A channel that had only webhooks begins at the first offset.
            try await store.append(.make("calls"))
            #expect(try await store.load(.make("calls")).tail.offsets == [1])
        }
    }
}
