import Testing
import ToastCore

@testable import ToastStore

/// The contract of ``EventLog`` about appending, loading and reading.
@Suite struct EventLogContract {
    private let ops = ChannelName.make()

    @Test(arguments: Adapter.allCases)
    func `an unknown channel is fresh and its history empty`(adapter: Adapter) async throws {
        try await adapter.run { store in
            #expect(try await store.load(self.ops) == .fresh())
            let history = try await store.events(of: self.ops, after: .origin, limit: 10)
            #expect(history == History(events: [], isCut: false))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `what was appended is loaded`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.append(.make(count: 2, at: 1))
            try await store.append(.make(after: 2, at: 2))
            let expected = StoredChannel(
                snapshot: nil,
                tail: [.make(1, at: 1), .make(2, at: 1), .make(3, at: 2)],
                last: Offset(rawValue: 3)
            )
            #expect(try await store.load(self.ops) == expected)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `an envelope comes back byte for byte`(adapter: Adapter) async throws {
        try await adapter.run { store in
            for (index, envelope) in [[], [0], Array(0...255), [UInt8](repeating: 34, count: 70_000)].enumerated() {
                let name = ChannelName.make("c\(index)")
                let event = StoredEvent(offset: .origin.next, at: .at(-5), envelope: envelope)
                try await store.append(Append(channel: name, expected: .origin, events: .written([event])))
                #expect(try await store.load(name).tail == [event])
            }
        }
    }

    @Test(arguments: Adapter.allCases)
    func `envelopes of one instant come back byte for byte`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let envelopes = [[], [0], Array(0...255), [UInt8](repeating: 34, count: 70_000), [], [10]]
            let events = zip(1..., envelopes).map {
                StoredEvent(offset: Offset(rawValue: $0), at: .at(-5), envelope: $1)
            }
            try await store.append(Append(channel: self.ops, expected: .origin, events: .written(events)))
            #expect(try await store.load(self.ops).tail == events)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a history begins and ends anywhere among events of one instant`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.append(.make(count: 300, at: 1))
            try await store.append(.make(after: 300, at: 2))
            let events = (1...301).map { StoredEvent.make($0, at: $0 > 300 ? 2 : 1) }
            for after: Int64 in [0, 1, 127, 128, 129, 299, 300, 301] {
                for limit in [0, 1, 128, 400] {
                    let history = try await store.events(of: self.ops, after: Offset(rawValue: after), limit: limit)
                    #expect(history.events == Array(events[Int(after)...].prefix(limit)))
                    #expect(!history.isCut)
                }
            }
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a conflict names the offset and changes nothing`(adapter: Adapter) async throws {
        try await adapter.run { store in
            await #expect(throws: StoreError.conflict(current: .origin)) {
                try await store.append(.make(after: 4))
            }
            #expect(try await store.load(self.ops) == .fresh())

            try await store.append(.make(count: 2))
            for wrong: Int64 in [0, 1, 3] {
                let change = Append.make(after: wrong, snapshot: true, records: [.make("key")])
                await #expect(throws: StoreError.conflict(current: Offset(rawValue: 2))) {
                    try await store.append(change)
                }
            }
            #expect(try await store.load(self.ops).snapshot == nil)
            #expect(try await store.load(self.ops).tail.offsets == [1, 2])
            #expect(try await store.record(of: self.ops, key: .make("key")) == nil)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `of many writers of one channel each offset has one winner`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let wins = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var wins = 0
                        for place: Int64 in 0..<20 {
                            do {
                                try await store.append(.make(after: place))
                                wins += 1
                            } catch StoreError.conflict {}
                        }
                        return wins
                    }
                }
                return try await group.reduce(0, +)
            }
            let last = try await store.load(self.ops).last
            #expect(last.rawValue == Int64(wins))
            #expect(try await store.load(self.ops).tail.offsets == Array(1...last.rawValue))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `many channels are written at once`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await withThrowingTaskGroup { group in
                for channel in 0..<40 {
                    group.addTask {
                        for place: Int64 in 0..<25 {
                            try await store.append(.make("c\(channel)", after: place))
                        }
                    }
                }
                try await group.waitForAll()
            }
            for channel in 0..<40 {
                #expect(try await store.load(.make("c\(channel)")).tail.offsets == Array(1...25))
            }
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a snapshot replaces the one before and the tail begins after it`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.append(.make(count: 3, snapshot: true))
            try await store.append(.make(after: 3, count: 2))
            #expect(try await store.load(self.ops).snapshot == .make(3))
            #expect(try await store.load(self.ops).tail.offsets == [4, 5])

            try await store.append(.make(after: 5, snapshot: true))
            let expected = StoredChannel(snapshot: .make(6), tail: [], last: Offset(rawValue: 6))
            #expect(try await store.load(self.ops) == expected)
            #expect(try await store.events(of: self.ops, after: .origin, limit: 9).events.offsets == Array(1...6))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a history is read in pages`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.append(.make(count: 10))
            let cases: [(after: Int64, limit: Int, offsets: [Int64])] = [
                (0, 4, [1, 2, 3, 4]), (4, 4, [5, 6, 7, 8]), (8, 4, [9, 10]), (10, 4, []), (3, 0, []), (3, -1, []),
                (7, .max, [8, 9, 10]),
            ]
            for (after, limit, offsets) in cases {
                let history = try await store.events(of: self.ops, after: Offset(rawValue: after), limit: limit)
                #expect(history.events.offsets == offsets)
                #expect(!history.isCut)
            }
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a page has so many bytes and one event at least`(adapter: Adapter) async throws {
        try await adapter.run { store in
            // Each half is of one instant, so that there are few rows, and long rows are split.
            let sizes = (1...40).map { $0 % 5 == 0 ? 70_000 : 100 * $0 }
            let events = sizes.enumerated().map { place, size in
                StoredEvent(
                    offset: Offset(rawValue: Int64(place) + 1),
                    at: .at(place < 20 ? 1 : 2),
                    envelope: [UInt8](repeating: UInt8(ascii: "x"), count: size)
                )
            }
            try await store.append(Append(channel: self.ops, expected: .origin, events: .written(events)))
            for bytes in [0, 100, 50_000, 69_999, 70_000, 200_000] {
                var (read, place): ([StoredEvent], Offset) = ([], .origin)
                while read.count < events.count {
                    let page = try await store.events(of: self.ops, after: place, limit: 100, bytes: bytes)
                    #expect(!page.isCut)
                    let last = try #require(page.events.last)
                    #expect(page.events.count == 1 || page.events.reduce(0) { $0 + $1.envelope.count } <= bytes)
                    read += page.events
                    place = last.offset
                }
                #expect(read == events)
            }
        }
    }

    @Test(arguments: Adapter.allCases)
    func `an offset beyond the end is cut`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.append(.make(count: 3))
            for beyond: Int64 in [4, 99, .max] {
                let history = try await store.events(of: self.ops, after: Offset(rawValue: beyond), limit: 10)
                #expect(history == History(events: [], isCut: true))
            }
            let unknown = try await store.events(of: .make("other"), after: Offset(rawValue: 1), limit: 10)
            #expect(unknown == History(events: [], isCut: true))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `after close everything is unavailable`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.append(.make())
            await store.close()
            await store.close()
            let outcomes = await store.outcomes(of: [.make(after: 1), .make("a"), .make("b")])
            #expect(outcomes == Array(repeating: .failed(.closed), count: 3))
            await #expect(throws: StoreError.closed) { try await store.load(self.ops) }
            await #expect(throws: StoreError.closed) { try await store.prune(at: .at(0)) }
            await #expect(throws: StoreError.closed) { try await store.channels(after: nil, limit: 1) }
        }
    }
}
