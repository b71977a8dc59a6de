import GRDB
import Testing
import ToastCore

@testable import ToastStore

/// The contract of ``IdempotencyStore``: records, and the outcomes that belong to them.
@Suite struct IdempotencyStoreContract {
    private let ops = ChannelName.make()
    private let first = ToastID.make(1)
    private let second = ToastID.make(2)

    @Test(arguments: Adapter.allCases)
    func `a record is stored with its events and belongs to its channel`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.append(.make(records: [.make("a"), .make("b", response: "202")]))
            try await store.append(.make("other", records: [.make("a", response: "409")]))
            #expect(try await store.record(of: self.ops, key: .make("a")) == .make("a"))
            #expect(try await store.record(of: self.ops, key: .make("b")) == .make("b", response: "202"))
            #expect(try await store.record(of: .make("other"), key: .make("a")) == .make("a", response: "409"))
            #expect(try await store.record(of: self.ops, key: .make("A")) == nil)

            try await store.append(.make(after: 1, records: [.make("a", at: 9, response: "new")]))
            #expect(try await store.record(of: self.ops, key: .make("a")) == .make("a", at: 9, response: "new"))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `an outcome belongs to all keys of its toast`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let records: [IdempotencyRecord] = [
                .make("a", about: self.first), .make("a", of: "bob", about: self.first), .make("b", about: self.second),
                .make("several"),
            ]
            try await store.append(.make(records: records))
            for record in records { #expect(try await store.record(of: self.ops, key: record.key) == record) }
            #expect(try await Set(store.load(self.ops).openToasts) == [self.first, self.second])
            #expect(try await store.outcome(of: self.first, in: self.ops) == nil)

            try await store.append(.make(after: 1, outcomes: [.make(self.first, "pressed"), .make(.make(9), "lost")]))
            #expect(try await store.outcome(of: self.first, in: self.ops) == .make(self.first, "pressed"))
            #expect(try await store.outcome(of: self.second, in: self.ops) == nil)
            #expect(try await store.outcome(of: .make(9), in: self.ops) == nil)
            #expect(try await store.outcome(of: self.first, in: .make("other")) == nil)
            for owner in ["alice", "bob"] {
                let expected = IdempotencyRecord.make("a", of: owner, about: self.first, outcome: "pressed")
                #expect(try await store.record(of: self.ops, key: .make("a", of: owner)) == expected)
            }
            #expect(try await store.load(self.ops).openToasts == [self.second])
            // Later outcomes do not replace the first one.
            try await store.append(.make(after: 2, outcomes: [.make(self.first, "late")]))
            #expect(try await store.outcome(of: self.first, in: self.ops)?.document == Array("pressed".utf8))
        }
    }

    /// More outcomes than fit into one batch of a cluster's log.
    @Test(arguments: Adapter.allCases)
    func `a thousand toasts may end together`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let toasts = (1...1000).map { ToastID.make($0) }
            for (number, half) in [toasts[..<500], toasts[500...]].enumerated() {
                let records = half.map { IdempotencyRecord.make($0.description, about: $0) }
                try await store.append(.make(after: Int64(number), records: records))
            }
            try await store.append(.make(after: 2, outcomes: toasts.map { .make($0, "cleared") }))
            for toast in [toasts[0], toasts[499], toasts[899], toasts[999]] {
                #expect(try await store.outcome(of: toast, in: self.ops) == .make(toast, "cleared"))
            }
            #expect(try await store.load(self.ops).openToasts == [])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a toast may have ended when its key comes`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let change = Append.make(
                records: [.make("a", about: self.first)],
                outcomes: [.make(self.first, "swiped")]
            )
            try await store.append(change)
            #expect(try await store.load(self.ops).openToasts == [])
            #expect(try await store.outcome(of: self.first, in: self.ops)?.document == Array("swiped".utf8))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `an outcome is forgotten with the last of its keys`(adapter: Adapter) async throws {
        try await adapter.run(.make(recordAge: 10_000)) { store in
            try await store.append(
                .make(
                    records: [
                        .make("a", at: 0, about: self.first), .make("b", of: "bob", at: 5000, about: self.first),
                    ],
                    outcomes: [.make(self.first, "pressed")]
                )
            )
            try await store.append(.make(after: 1, records: [.make("c", at: 6000)], displaced: ["alice"]))
            #expect(try await store.record(of: self.ops, key: .make("a")) == nil)
            #expect(try await store.outcome(of: self.first, in: self.ops) != nil)
            try await store.prune(at: .at(15_001))
            #expect(try await store.outcome(of: self.first, in: self.ops) == nil)
        }
    }

    @Test func `records of a version without outcomes are kept`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("toast.db")
        do {
            let queue = try DatabaseQueue(path: path)
            try Schema.migrator.migrate(queue, upTo: "owners")
            try await queue.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO channels (id, name) VALUES (1, 'ops');
                        INSERT INTO records VALUES (1, 'alice', 'old', 5, x'00FF07', x'323031');
                        """
                )
            }
            try queue.close()
        }
        let store = try SQLiteStore(path: path)
        let old = try #require(try await store.record(of: self.ops, key: .make("old")))
        #expect(old.response == Array("201".utf8))
        #expect(old.toast == nil && old.outcome == nil)
        #expect(try await store.load(self.ops).openToasts == [])
        try await store.append(.make(records: [.make("new", about: self.first)]))
        #expect(try await store.load(self.ops).openToasts == [self.first])
        await store.close()
    }

    @Test func `the length of an outcome is bounded for any toast`() throws {
        let draft = try ToastDraft(
            json: ["message": "Deploy?", "data": .string(String(repeating: "x", count: 60_000))],
            limits: .standard
        )
        var engine = Engine(channel: self.ops, epoch: try #require(Epoch(rawValue: "k3v9q0ax")))
        for id in [self.first, self.second] {
            _ = try engine.enqueue([NewToast(id: id, draft: draft)], at: .at(1))
            engine.watch(id)
        }
        _ = try engine.apply(.clear, at: .at(2))
        let ended = engine.takeEndings()
        #expect(ended.map(\.id) == [self.first, self.second])
        #expect(engine.takeEndings() == [])
        let outcome = ToastOutcome(try #require(ended.first))
        #expect(outcome.document.count <= ToastOutcome.maximumLength)
        #expect(outcome.toast?.message == draft.message)
        #expect(outcome.toast?.dismissReason == .cleared)
    }
}
