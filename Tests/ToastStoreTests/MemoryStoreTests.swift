import Testing
import ToastCore

@testable import ToastStore

@Suite struct MemoryStoreTests {
    private let store = MemoryStore()
    private let ops = ChannelName.make()

    /// What happens when two toasts are published, one with data of its publisher's, and the first comes on screen.
    private func events() throws -> [Event] {
        var engine = Engine(channel: self.ops, epoch: self.store.epoch)
        let ids = ["01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"]
        let drafts = [#"{"message":"Saved"}"#, #"{"message":"Sent","data":[1,{"a":null}]}"#]
        let toasts = try zip(ids, drafts).map { id, text in
            Command.NewToast(
                id: try #require(ToastID(id)),
                draft: try ToastDraft(json: try JSON(parsing: Array(text.utf8)))
            )
        }
        return try engine.apply(.enqueue(toasts), at: .at(1))
            + engine.apply(.audience(Audience(isAttached: true)), at: .at(2))
            + engine.apply(.dismiss(toasts[0].id, .api), at: .at(3))
    }

    @Test func `events that were kept as they happened are read as if they had been written`() async throws {
        let events = try self.events()
        #expect(events.map(\.type) == [.enqueued, .enqueued, .presented, .dismissed])
        try self.store.appendAtOnce(events, to: self.ops, expecting: .origin)
        let written = events.map { $0.stored(channel: self.ops, epoch: self.store.epoch) }
        for _ in 1...2 {
            let tail = try await self.store.events(of: self.ops, after: Offset(rawValue: 1), limit: 2)
            #expect(tail == History(events: Array(written[1...2]), isCut: false))
            let last = Offset(rawValue: 4)
            #expect(try await self.store.load(self.ops) == StoredChannel(snapshot: nil, tail: written, last: last))
        }
    }

    @Test func `events that nobody wrote follow those that were written`() async throws {
        let events = try self.events()
        let written = events.map { $0.stored(channel: self.ops, epoch: self.store.epoch) }
        try await self.store.append(
            Append(channel: self.ops, expected: .origin, events: Array(written[0...1]))
        )
        try self.store.appendAtOnce(Array(events[2...]), to: self.ops, expecting: Offset(rawValue: 2))
        let history = try await self.store.events(of: self.ops, after: .origin, limit: .max)
        #expect(history == History(events: written, isCut: false))
    }

    @Test func `who believes a channel to stand elsewhere adds no event`() async throws {
        let events = try self.events()
        try self.store.appendAtOnce(events, to: self.ops, expecting: .origin)
        #expect(throws: StoreError.conflict(current: Offset(rawValue: 4))) {
            try self.store.appendAtOnce(events, to: self.ops, expecting: .origin)
        }
        #expect(try await self.store.events(of: self.ops, after: .origin, limit: .max).events.count == 4)
    }

    @Test func `events that nobody wrote are forgotten as others are`() async throws {
        let store = MemoryStore(retention: Retention(events: 2, age: .zero, recordAge: .zero))
        try store.appendAtOnce(try self.events(), to: self.ops, expecting: .origin)
        try await store.append(.make(after: 4, snapshot: true))
        try await store.prune(at: .at(10))
        let history = try await store.events(of: self.ops, after: .origin, limit: .max)
        #expect(history.isCut)
        #expect(history.events.isEmpty)
    }
}
