import Testing
import ToastCore

@testable import ToastStore

/// The contract of ``EventLog`` about events without envelopes, and about completion of appends.
@Suite struct AppendContract {
    private let ops = ChannelName.make()

    /// The events of publishing two toasts, one with `data`, of which the first is presented.
    private func events(_ epoch: Epoch) throws -> [Event] {
        var engine = Engine(channel: self.ops, epoch: epoch)
        let drafts = [#"{"message":"Saved"}"#, #"{"message":"Sent","data":[1,{"a":null}]}"#]
        let toasts = try zip([ToastID.make(1), .make(2)], drafts).map { id, text in
            NewToast(id: id, draft: try ToastDraft(json: try JSON(parsing: Array(text.utf8))))
        }
        return try engine.enqueue(toasts, at: .at(1)).events
            + engine.apply(.audience(Audience(isAttached: true)), at: .at(2))
            + engine.apply(.dismiss(toasts[0].id, .api), at: .at(3))
    }

    private func append(_ events: [Event], after offset: Int64 = 0) -> Append {
        Append(channel: self.ops, expected: Offset(rawValue: offset), events: .unwritten(events))
    }

    private func written(_ events: [Event], in store: any EventLog) -> [StoredEvent] {
        events.map { $0.stored(channel: self.ops, epoch: store.epoch) }
    }

    @Test(arguments: Adapter.allCases)
    func `events without envelopes are read as if they had been written`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let events = try self.events(store.epoch)
            #expect(events.map(\.type) == [.enqueued, .enqueued, .presented, .dismissed])
            try await store.append(self.append(events))
            let written = self.written(events, in: store)
            for _ in 1...2 {
                let tail = try await store.events(of: self.ops, after: Offset(rawValue: 1), limit: 2)
                #expect(tail == History(events: Array(written[1...2]), isCut: false))
                let last = Offset(rawValue: 4)
                #expect(try await store.load(self.ops) == StoredChannel(snapshot: nil, tail: written, last: last))
            }
        }
    }

    @Test(arguments: Adapter.allCases)
    func `events without envelopes follow events with envelopes`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let events = try self.events(store.epoch)
            let written = self.written(events, in: store)
            try await store.append(
                Append(channel: self.ops, expected: .origin, events: .written(Array(written[0...1])))
            )
            try await store.append(self.append(Array(events[2...]), after: 2))
            let history = try await store.events(of: self.ops, after: .origin, limit: .max)
            #expect(history == History(events: written, isCut: false))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a conflict adds no events without envelopes`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let events = try self.events(store.epoch)
            try await store.append(self.append(events))
            await #expect(throws: StoreError.conflict(current: Offset(rawValue: 4))) {
                try await store.append(self.append(events))
            }
            #expect(try await store.events(of: self.ops, after: .origin, limit: .max).events.count == 4)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `events without envelopes are forgotten like others`(adapter: Adapter) async throws {
        try await adapter.run(Retention(events: 2, age: .zero, recordAge: .zero)) { store in
            try await store.append(self.append(try self.events(store.epoch)))
            try await store.append(.make(after: 4, snapshot: true))
            try await store.prune(at: .at(10))
            let history = try await store.events(of: self.ops, after: .origin, limit: .max)
            #expect(history.isCut)
            #expect(history.events.isEmpty)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `each change of an append has its own outcome`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let changes: [Append] = [.make("a"), .make("b", after: 7), .make("c", count: 2), .make("a", after: 1)]
            let outcomes = await store.outcomes(of: changes)
            #expect(outcomes == [.stored, .failed(.conflict(current: .origin)), .stored, .stored])
            let names = try await store.channels(after: nil, limit: 9)
            #expect(names == [.make("a"), .make("c")])
            #expect(try await store.load(.make("a")).last == Offset(rawValue: 2))
        }
    }
}
