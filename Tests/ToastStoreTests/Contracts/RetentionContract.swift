import Testing
import ToastCore

@testable import ToastStore

/// The contract of ``EventLog`` about retention.
@Suite struct RetentionContract {
    private let ops = ChannelName.make()

    private func kept(_ store: any EventLog) async throws -> [Int64] {
        try await store.events(of: self.ops, after: .origin, limit: .max).events.offsets
    }

    @Test(arguments: Adapter.allCases)
    func `an append forgets events past the count, some of them late`(adapter: Adapter) async throws {
        try await adapter.run(.make(events: 100)) { store in
            for place: Int64 in 0..<500 {
                try await store.append(.make(after: place, snapshot: true))
                let count = try await self.kept(store).count
                #expect(count >= min(Int(place) + 1, 100))
                #expect(count < 100 + LogBounds.slack)
            }
        }
    }

    @Test(arguments: Adapter.allCases)
    func `no event after the snapshot is ever forgotten`(adapter: Adapter) async throws {
        try await adapter.run(.make(events: 10, age: 1)) { store in
            try await store.append(.make(count: 300))
            try await store.prune(at: .at(1_000_000))
            #expect(try await self.kept(store).count == 300)

            try await store.append(.make(after: 300, snapshot: true))
            try await store.append(.make(after: 301, count: 200))
            try await store.prune(at: .at(1_000_000))
            let channel = try await store.load(self.ops)
            #expect(channel.snapshot == .make(301))
            #expect(channel.tail.offsets == Array(302...501))
            #expect(try await self.kept(store) == Array(302...501))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `pruning forgets events by age`(adapter: Adapter) async throws {
        try await adapter.run(.make(age: 100)) { store in
            for place: Int64 in 0..<600 {
                try await store.append(.make(after: place, at: Double(place), snapshot: true))
            }
            try await store.prune(at: .at(500))
            #expect(try await self.kept(store) == Array(401...600))
            try await store.prune(at: .at(400))
            #expect(try await self.kept(store) == Array(401...600))
            try await store.prune(at: .at(10_000))
            #expect(try await self.kept(store) == [])
            #expect(try await store.load(self.ops).last == Offset(rawValue: 600))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `pruning brings every channel down to the count`(adapter: Adapter) async throws {
        try await adapter.run(.make(events: 5)) { store in
            for channel in 0..<9 {
                try await store.append(.make("c\(channel)", count: 20))
                try await store.append(.make("c\(channel)", after: 20, snapshot: channel != 4))
            }
            try await store.prune(at: .at(0))
            for channel in 0..<9 {
                let history = try await store.events(of: .make("c\(channel)"), after: .origin, limit: 99)
                #expect(history.events.offsets == (channel == 4 ? Array(1...21) : Array(17...21)))
                #expect(history.isCut == (channel != 4))
            }
        }
    }

    @Test(arguments: Adapter.allCases)
    func `half of the events of one instant are forgotten, the others kept`(adapter: Adapter) async throws {
        try await adapter.run(.make(events: 150)) { store in
            try await store.append(.make(count: 300, snapshot: true))
            try await store.prune(at: .at(0))
            for last: Int64 in 300...303 {
                if last > 300 { try await store.append(.make(after: last - 1, snapshot: true)) }
                try await store.prune(at: .at(0))
                let history = try await store.events(of: self.ops, after: Offset(rawValue: last - 150), limit: 999)
                #expect(history == History(events: (last - 149...last).map { .make($0) }, isCut: false))
                let cut = try await store.events(of: self.ops, after: Offset(rawValue: last - 151), limit: 1)
                #expect(cut == History(events: [.make(last - 149)], isCut: true))
            }
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a history tells whether events are missing from it`(adapter: Adapter) async throws {
        try await adapter.run(.make(age: 10)) { store in
            try await store.append(.make(count: 4, at: 0))
            try await store.append(.make(after: 4, count: 2, at: 20, snapshot: true))
            try await store.prune(at: .at(20))
            let cases: [(after: Int64, offsets: [Int64], isCut: Bool)] = [
                (0, [5, 6], true), (3, [5, 6], true), (4, [5, 6], false), (5, [6], false), (6, [], false),
                (7, [], true),
            ]
            for (after, offsets, isCut) in cases {
                let history = try await store.events(of: self.ops, after: Offset(rawValue: after), limit: 9)
                #expect(history.events.offsets == offsets, "after \(after)")
                #expect(history.isCut == isCut, "after \(after)")
            }
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a channel that forgot all its events continues after its last offset`(adapter: Adapter) async throws {
        try await adapter.run(.make(age: 1)) { store in
            try await store.append(.make(count: 3, snapshot: true))
            try await store.prune(at: .at(100))
            #expect(try await store.events(of: self.ops, after: Offset(rawValue: 2), limit: 9).isCut)
            #expect(try await !store.events(of: self.ops, after: Offset(rawValue: 3), limit: 9).isCut)
            await #expect(throws: StoreError.conflict(current: Offset(rawValue: 3))) {
                try await store.append(.make())
            }
            try await store.append(.make(after: 3, at: 100))
            #expect(try await self.kept(store) == [4])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `records are forgotten by age`(adapter: Adapter) async throws {
        try await adapter.run(.make(recordAge: 10_000)) { store in
            for place: Int64 in 0..<600 {
                try await store.append(.make(after: place, at: 1, records: [.make("old\(place)", at: 0)]))
            }
            try await store.append(.make(after: 600, at: 5000, records: [.make("new", at: 5000)]))
            try await store.prune(at: .at(10_000))
            #expect(try await store.record(of: self.ops, key: .make("old0")) != nil)
            try await store.prune(at: .at(10_001))
            #expect(try await store.record(of: self.ops, key: .make("old0")) == nil)
            #expect(try await store.record(of: self.ops, key: .make("old599")) == nil)
            #expect(try await store.record(of: self.ops, key: .make("new")) != nil)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `records are counted for each channel, until they are pruned`(adapter: Adapter) async throws {
        try await adapter.run(.make(recordAge: 10_000)) { store in
            #expect(try await store.recordCounts(of: self.ops) == [:])
            try await store.append(.make(records: [.make("a", at: 0), .make("b", at: 5000)]))
            try await store.append(.make("other", records: [.make("a", at: 5000)]))
            #expect(try await store.recordCounts(of: self.ops) == ["alice": 2])
            #expect(try await store.load(self.ops).recordCount == 2)
            try await store.prune(at: .at(10_001))
            #expect(try await store.recordCounts(of: self.ops) == ["alice": 1])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a key belongs to its owner`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let (alice, bob) = (IdempotencyRecord.make("a"), IdempotencyRecord.make("a", of: "bob", response: "409"))
            try await store.append(.make(records: [alice, bob]))
            #expect(try await store.record(of: self.ops, key: alice.key) == alice)
            #expect(try await store.record(of: self.ops, key: bob.key) == bob)
            #expect(try await store.record(of: self.ops, key: .make("a", of: "eve")) == nil)
            #expect(try await store.recordCounts(of: self.ops) == ["alice": 1, "bob": 1])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `new records displace the oldest ones of their owner`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let first = (0..<4).map { IdempotencyRecord.make("k\($0)", at: Double($0)) }
            try await store.append(.make(records: first + [.make("k0", of: "bob", at: 0)]))
            let change = Append.make(after: 1, records: [.make("k4", at: 4)], displaced: ["alice", "alice", "eve"])
            try await store.append(change)
            var left: [String] = []
            for key in (0..<5).map({ "k\($0)" }) where try await store.record(of: self.ops, key: .make(key)) != nil {
                left.append(key)
            }
            #expect(left == ["k2", "k3", "k4"])
            #expect(try await store.recordCounts(of: self.ops) == ["alice": 3, "bob": 1])
            // A key that came again is as old as it was the last time.
            try await store.append(.make(after: 2, records: [.make("k2", at: 9)], displaced: ["alice"]))
            #expect(try await store.record(of: self.ops, key: .make("k3")) == nil)
            #expect(try await store.record(of: self.ops, key: .make("k2")) != nil)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a channel whose clock runs ahead ages the records of no other`(adapter: Adapter) async throws {
        try await adapter.run(.make(recordAge: 10_000)) { store in
            try await store.append(.make(records: [.make("a", at: 0)]))
            // The event was written before the wall clock was set back.
            try await store.append(.make("other", at: 1_000_000))
            #expect(try await store.record(of: self.ops, key: .make("a")) != nil)
            try await store.prune(at: .at(10_001))
            #expect(try await store.record(of: self.ops, key: .make("a")) == nil)
        }
    }
}
