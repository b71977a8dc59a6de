import NATS
import Synchronization
import Testing
import ToastCore

@testable import ToastStore

/// Two stores on one cluster, as of two nodes that both believe that they own a channel.
@Suite(.timeLimit(.minutes(15))) struct JetStreamTwoStoresTests {
    private let ops = ChannelName.make()

    @Test func `a process with another key than the first one is refused`() async throws {
        try await JetStreamFixture.run { store in
            let error = await #expect(throws: StoreError.self) {
                _ = try await JetStreamFixture.open(store.subjects.prefix, secret: 8)
            }
            guard case .unavailable(let reason) = error else { throw error ?? .closed }
            #expect(reason.contains("use the same file on all nodes"))
        }
    }

    @Test func `a new owner names the channels that the former one has just added`() async throws {
        try await JetStreamFixture.runTwo { former, new in
            for name in ["a", "b", "c"] {
                _ = try await new.channels(after: nil, limit: 10)
                let channel = ChannelName.make(name)
                let start = try await former.load(channel).last
                try await former.append(.make(name, after: start.rawValue))
                try await new.refreshChannels(since: .now)
                #expect(try await new.channels(after: nil, limit: 10).contains(channel))
                let last = try await former.load(channel).last
                _ = try await former.remove(channel, at: last)
                try await new.refreshChannels(since: .now)
                #expect(try await !new.channels(after: nil, limit: 10).contains(channel))
            }
        }
    }

    /// Appends to one channel from several stores at the same time, each again after every conflict.
    ///
    /// - Parameters:
    ///   - stores: The stores.
    ///   - rounds: The number of appends that each store has to store.
    ///   - withRecord: Whether each append has a record under the key of its offset.
    /// - Returns: The offsets that each store has stored.
    /// - Throws: The first error of an append other than a conflict.
    private func race(_ stores: [JetStreamStore], rounds: Int, withRecord: Bool) async throws -> [Int: [Int64]] {
        try await withThrowingTaskGroup(of: (Int, [Int64]).self) { group in
            for (writer, store) in stores.enumerated() {
                group.addTask {
                    var (own, last): ([Int64], Offset) = ([], .origin)
                    while own.count < rounds {
                        let offset = last.next
                        let event = StoredEvent(offset: offset, at: .at(1), envelope: Array("\(writer)".utf8))
                        let record = IdempotencyRecord.make("k\(offset.rawValue)", response: "\(writer)")
                        let change = Append(
                            channel: self.ops,
                            expected: last,
                            events: .written([event]),
                            records: withRecord ? [record] : []
                        )
                        switch await store.outcomes(of: [change])[0] {
                        case .stored:
                            own.append(offset.rawValue)
                            last = offset
                        case .failed(.conflict(let current)): last = current
                        case .failed(let error): throw error
                        }
                    }
                    return (writer, own)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    @Test(arguments: [false, true])
    func `two writers of one channel lose nothing`(withRecord: Bool) async throws {
        try await JetStreamFixture.runTwo { first, second in
            let won = try await self.race([first, second], rounds: 200, withRecord: withRecord)
            #expect(won.values.flatMap(\.self).sorted() == Array(1...400))
            for store in [first, second] {
                // Each offset has one winner, and the log has only the winner's event.
                let tail = try await store.load(self.ops).tail
                #expect(tail.offsets == Array(1...400))
                for (writer, own) in won {
                    let text = Array("\(writer)".utf8)
                    #expect(own.allSatisfy { tail[Int($0) - 1].envelope == text })
                    for offset in own where withRecord && offset % 10 == 0 {
                        #expect(try await store.record(of: self.ops, key: .make("k\(offset)"))?.response == text)
                    }
                }
            }
        }
    }

    @Test func `two stores of one log have the same epoch`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            #expect(first.epoch == second.epoch)
            #expect(first.name != second.name)
        }
    }

    @Test func `a conflict with another process tells where the log ends`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            try await first.append(.make(count: 2))
            await #expect(throws: StoreError.conflict(current: Offset(rawValue: 2))) {
                try await second.append(.make(after: 1))
            }
        }
    }

    @Test func `an append without events conflicts with another one`() async throws {
        try await JetStreamFixture.runTwo { former, new in
            try await former.append(.make(records: [.make("a")]))
            _ = try await new.load(self.ops)
            func record(_ response: String) -> Append {
                Append(
                    channel: self.ops,
                    expected: .origin.next,
                    events: .written([]),
                    records: [.make("b", response: response)]
                )
            }
            try await former.append(record("former"))
            await #expect(throws: StoreError.conflict(current: .origin.next)) {
                try await new.append(record("new"))
            }
            #expect(try await new.record(of: self.ops, key: .make("b"))?.response == Array("former".utf8))
            try await new.append(.make(after: 1))
        }
    }

    @Test func `each store reads what the other has stored`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            try await first.setWebhooks([.make("a", secret: 3)], of: self.ops)
            let record = IdempotencyRecord.make("k", about: .make(1))
            try await first.append(.make(count: 3, snapshot: true, records: [record]))
            try await first.append(.make(after: 3, outcomes: [.make(.make(1), "pressed")]))
            let loaded = try await second.load(self.ops)
            #expect(loaded.snapshot == .make(3))
            #expect(loaded.tail.offsets == [4])
            #expect(loaded.webhooks == [.make("a", secret: 3)])
            #expect(loaded.recordCount == 1)
            #expect(try await second.record(of: self.ops, key: .make("k"))?.outcome == Array("pressed".utf8))
            #expect(try await second.channels(after: nil, limit: 9) == [self.ops])
            try await second.append(.make(after: 4))
            await #expect(throws: StoreError.conflict(current: Offset(rawValue: 5))) {
                try await first.append(.make(after: 4))
            }
            try await first.append(.make(after: 5))
        }
    }

    @Test func `deliveries of other owners' channels are left to them`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            let channels: [ChannelName] = [.make("mine"), .make("theirs")]
            for channel in channels {
                try await first.setWebhooks([.make("a")], of: channel)
                try await first.append(.make(channel.rawValue, deliveries: [.make("a", channel.rawValue, at: 1)]))
            }
            for (store, own) in [(first, "mine"), (second, "theirs")] {
                store.deliverOnly { $0.rawValue == own }
                let due = try await store.dueDeliveries(at: .at(5), limit: 8, share: .unlimited)
                #expect(due.map(\.channel.rawValue) == [own])
            }
            // A process that has just started does not count the deliveries of others, but lists them.
            second.deliveries.withLock { $0 = DeliveryIndex() }
            #expect(try await second.dueDeliveries(at: .at(5), limit: 8, share: .unlimited).count == 1)
            #expect(second.deliveryCounts.waiting == 1)
            for channel in channels {
                #expect(try await second.waitingDeliveries(for: .make("a"), of: channel, limit: 8).count == 1)
            }
        }
    }

    @Test func `another process's change of a delivery is known at the next query`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            try await first.setWebhooks([.make("a")], of: self.ops)
            try await first.append(.make(deliveries: [.make("a", "1", at: 1), .make("a", "2", at: 1)]))
            #expect(try await first.dueDeliveries(at: .at(5), limit: 8, share: .unlimited).count == 2)
            let due = try await second.dueDeliveries(at: .at(5), limit: 8, share: .unlimited)
            try #require(due.count == 2)
            try await second.settle(due[0].id, .done)
            try await second.settle(due[1].id, .postponed(until: .at(9)))
            // As if the first process had made no query for some seconds.
            first.deliveries.withLock { $0.refreshed = nil }
            #expect(try await first.dueDeliveries(at: .at(5), limit: 8, share: .unlimited).isEmpty)
            #expect(try await first.dueDeliveries(at: .at(9), limit: 8, share: .unlimited).count == 1)
        }
    }

    @Test func `deliveries go to a webhook that another process has switched on`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            try await first.setWebhooks([.make("a", isEnabled: false)], of: self.ops)
            _ = try await first.load(self.ops)
            try await second.setWebhooks([.make("a")], of: self.ops)
            try await second.append(.make(deliveries: [.make("a", "1", at: 1)]))
            #expect(try await first.dueDeliveries(at: .at(5), limit: 8, share: .unlimited).count == 1)
        }
    }

    /// The other process is killed after it has stored its change, and before it removes the deliveries.
    @Test(arguments: [[], [.make("a", isEnabled: false)]] as [[Webhook]])
    func `deliveries to a webhook that another process has ended are given up`(webhooks: [Webhook]) async throws {
        try await JetStreamFixture.runTwo { first, second in
            try await first.setWebhooks([.make("a")], of: self.ops)
            try await first.append(.make(deliveries: [.make("a", "1", at: 1)]))
            let due = try #require(try await first.dueDeliveries(at: .at(5), limit: 8, share: .unlimited).first)
            let change = StreamMessage(
                subject: second.subjects.subject(.webhooks, of: self.ops),
                body: SealedWebhooks.encode(webhooks, of: self.ops, second.options.secrets),
                replacesSubject: true
            )
            #expect(try await second.read.publish(change) != nil)
            #expect(try await first.delivery(due.id) == nil)
            #expect(try await first.dueDeliveries(at: .at(5), limit: 8, share: .unlimited).isEmpty)
            #expect(try await second.waitingDeliveries(for: .make("a"), of: self.ops, limit: 8).count == 0)
        }
    }

    @Test func `a channel that another process removed begins after its last offset`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            try await first.append(.make(count: 5))
            #expect(try await second.load(self.ops).last == Offset(rawValue: 5))
            #expect(try await second.remove(self.ops, at: Offset(rawValue: 5)) == Offset(rawValue: 6))
            // The first store does not know yet; no offset up to 6 is used again.
            await #expect(throws: StoreError.conflict(current: Offset(rawValue: 6))) {
                try await first.append(.make(after: 5))
            }
            try await first.append(.make(after: 6))
            #expect(try await second.load(self.ops).tail.offsets == [7])
            #expect(try await second.events(of: self.ops, after: Offset(rawValue: 3), limit: 9).isCut)
        }
    }

    @Test func `documents change all or none, one after the other`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            let big = [UInt8](repeating: 5, count: 2 * Piece.largest + 1)
            try await withThrowingTaskGroup { group in
                for (store, language) in [(first, LanguageTag.german), (second, .english)] {
                    group.addTask {
                        for _ in 0..<5 { try await store.changeCatalogs([language: big]) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await first.catalogs() == [.german: big, .english: big])
            #expect(try await self.blobs(of: first).count == 6)
        }
    }

    @Test func `catalogs of another version stay as they are`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            let version = try #require(try await first.catalogsVersion())
            try await second.changeCatalogs([.german: [1]])
            let late = [LanguageTag.german: [UInt8(2)]]
            #expect(try await first.changeCatalogs(late, ifVersion: version) == false)
            #expect(try await first.catalogs() == [.german: [1]])
            let current = try #require(try await first.catalogsVersion())
            #expect(current != version)
            #expect(try await first.changeCatalogs(late, ifVersion: current))
            #expect(try await second.catalogs() == late)
        }
    }

    @Test func `a change removes what failed changes have left`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            try await first.changeCatalogs([.german: [1]])
            let named = try await self.blobs(of: first)
            // A process was killed between its blob and its manifest.
            let abandoned = StreamMessage(subject: first.subjects.blob("abandoned", piece: 0), body: [2])
            _ = try await first.read { (client) async throws(NATSError) in try await client.publish(abandoned) }
            #expect(try await self.blobs(of: first).count == 2)
            try await second.changeCatalogs([.english: [3]])
            let kept = try await self.blobs(of: first)
            #expect(kept.count == 2 && kept.isSuperset(of: named))
            #expect(try await first.catalogs() == [.german: [1], .english: [3]])
        }
    }

    private func blobs(of store: JetStreamStore) async throws -> Set<String> {
        let subjects = try await store.read { (client) async throws(NATSError) in
            try await client.subjects(in: store.subjects.metaStream, matching: store.subjects.allBlobs)
        }
        return Set(subjects.keys)
    }
}
