import NATS
import Synchronization
import Testing
import ToastCore

@testable import ToastStore

/// The behaviour of a store on a cluster beyond the contracts.
@Suite(.timeLimit(.minutes(15))) struct JetStreamStoreTests {
    private let ops = ChannelName.make()

    private func subjects(_ store: JetStreamStore, _ kind: SubjectKind) async throws -> [String: UInt64] {
        let log = Subjects.log(of: self.ops)
        return try await store.read { (client) async throws(NATSError) in
            try await client.subjects(in: store.subjects.stream(log), matching: store.subjects.all(kind, ofLog: log))
        }
    }

    @Test func `forgotten events are removed from the stream`() async throws {
        try await JetStreamFixture.run(.make(events: 100)) { store in
            for place: Int64 in 0..<600 { try await store.append(.make(after: place, snapshot: place % 50 == 49)) }
            try await store.prune(at: .at(0))
            let count = try await self.subjects(store, .log).values.reduce(0, +)
            #expect((100..<100 + 3 * UInt64(LogBounds.slack)).contains(count), "\(count)")
            #expect(
                try await store.events(of: self.ops, after: .origin, limit: .max).events.offsets == Array(501...600)
            )
        }
    }

    @Test func `old events are removed from the stream, except those from which a channel is rebuilt`() async throws {
        try await JetStreamFixture.run(.make(age: 100)) { store in
            for place: Int64 in 0..<20 { try await store.append(.make(after: place, at: Double(place))) }
            try await store.append(.make(after: 20, at: 20, snapshot: true))
            try await store.append(.make(after: 21, at: 21))
            try await store.append(.make("without", count: 3, at: 1))
            try await store.prune(at: .at(110))
            // Events of second 10 and later are not old enough.
            #expect(try await self.subjects(store, .log)[store.subjects.subject(.log, of: self.ops)] == 12)
            try await store.prune(at: .at(1000))
            #expect(try await self.subjects(store, .log)[store.subjects.subject(.log, of: self.ops)] == 1)
            #expect(try await store.load(self.ops).tail.offsets == [22])
            #expect(try await store.load(.make("without")).tail.offsets == [1, 2, 3])
        }
    }

    @Test func `a removed channel leaves nothing but its tombstone`() async throws {
        try await JetStreamFixture.run { store in
            try await store.setWebhooks([.make("a")], of: self.ops)
            try await store.append(.make(snapshot: true, records: [.make("k")], deliveries: [.make("a", "m", at: 1)]))
            for kind in SubjectKind.allCases where kind != .outcome {
                #expect(try await self.subjects(store, kind).count == 1, "\(kind)")
            }
            #expect(try await store.remove(self.ops, at: .origin.next) != nil)
            for kind in SubjectKind.allCases {
                #expect(try await self.subjects(store, kind).values.reduce(0, +) == (kind == .log ? 1 : 0), "\(kind)")
            }
            #expect(try await store.read.end(of: self.ops)?.header.isTombstone == true)
        }
    }

    @Test func `an append longer than a message is stored whole`() async throws {
        try await JetStreamFixture.run { store in
            let events = (1...12).map {
                StoredEvent(
                    offset: Offset(rawValue: $0),
                    at: .at(1),
                    envelope: Array(repeating: UInt8($0), count: 200_000)
                )
            }
            let state = [UInt8](repeating: 9, count: 3 * Piece.largest)
            let snapshot = StoredSnapshot(offset: Offset(rawValue: 12), state: state)
            try await store.append(
                Append(channel: self.ops, expected: .origin, events: .written(events), snapshot: snapshot)
            )
            try await store.append(.make(after: 12))
            let loaded = try await store.load(self.ops)
            #expect(loaded.snapshot == snapshot)
            #expect(loaded.tail.offsets == [13])
            let history = try await store.events(of: self.ops, after: Offset(rawValue: 3), limit: 5)
            #expect(history == History(events: Array(events[3..<8]), isCut: false))
            // A shorter snapshot: some pieces of the longer one stay in the stream.
            try await store.append(.make(after: 13, snapshot: true))
            #expect(try await store.load(self.ops).snapshot == .make(14))
        }
    }

    @Test func `a snapshot for which a batch has no room is left out`() async throws {
        try await JetStreamFixture.run { store in
            try await store.append(.make(snapshot: true))
            let state = [UInt8](repeating: 7, count: 70 << 20)
            let snapshot = StoredSnapshot(offset: Offset(rawValue: 2), state: state)
            let events = AppendedEvents.written([.make(2)])
            try await store.append(
                Append(channel: self.ops, expected: .origin.next, events: events, snapshot: snapshot)
            )
            let loaded = try await store.load(self.ops)
            #expect(loaded.snapshot == .make(1))
            #expect(loaded.tail.offsets == [2])
            #expect(store.counters.omittedSnapshots.load(ordering: .relaxed) == 1)
        }
    }

    @Test func `any offset of a long log is found`() async throws {
        try await JetStreamFixture.run(.make(events: 5000)) { store in
            let other = ChannelName.make("foobar")
            for place: Int64 in 0..<1500 {
                try await store.append(.make(after: place))
                if place % 5 == 0 { try await store.append(.make(other.rawValue, after: place / 5)) }
            }
            store.channels.forget(self.ops)
            for after: Int64 in [0, 1, 31, 700, 701, 1498, 1499, 1500] {
                let history = try await store.events(of: self.ops, after: Offset(rawValue: after), limit: 3)
                #expect(history.events.offsets == Array(after + 1..<min(after + 4, 1501)))
                #expect(!history.isCut)
            }
            #expect(try await store.load(self.ops).tail.offsets == Array(1...1500))
        }
    }

    @Test func `more records than fit into one answer are counted`() async throws {
        try await JetStreamFixture.run { store in
            var last: Int64 = 0
            for start in stride(from: 0, to: 2400, by: 800) {
                let records = (start..<start + 800).map { IdempotencyRecord.make("k\($0)", at: Double($0)) }
                try await store.append(.make(after: last, records: records))
                last += 1
            }
            store.channels.forget(self.ops)
            #expect(try await store.recordCounts(of: self.ops) == ["alice": 2400])
            // As if the records were so long that the server ended its answers early.
            let filter = store.subjects.subject(.record, of: self.ops, "*")
            var reader = store.read
            reader.pageBytes = 10_000
            let messages = try await reader.lastMessages([filter], of: self.ops, since: 1)
            #expect(messages.count == 2400 && Set(messages.map(\.subject)).count == 2400)
            try await store.append(.make(after: last, records: [.make("new", at: 9999)], displaced: ["alice"]))
            #expect(try await store.record(of: self.ops, key: .make("k0")) == nil)
            #expect(try await store.record(of: self.ops, key: .make("k1")) != nil)
        }
    }

    @Test func `an incomplete answer about many subjects is refused`() async throws {
        try await JetStreamFixture.run { store in
            for start in [0, 800] {
                let records = (start..<start + 800).map { IdempotencyRecord.make("k\($0)", at: Double($0)) }
                try await store.append(.make(after: Int64(start / 800), records: records))
            }
            let filters = [store.subjects.subject(.record, of: self.ops, "*")]
            let last = try await store.read.place(of: self.ops).sequence
            #expect(try await store.read.lastMessages(filters, of: self.ops, since: last).count == 1600)
            let reader = LogReader(stream: store.write, subjects: store.subjects, patience: .zero)
            // As a replica answers that lags by one message.
            await #expect(throws: StoreError.self) {
                try await reader.lastMessages(filters, of: self.ops, since: last + 1)
            }
        }
    }

    @Test func `many batches at a time are all stored`() async throws {
        try await JetStreamFixture.run { store in
            let changes = (0..<400).map { Append.make("c\($0)", snapshot: true, records: [.make("k")]) }
            #expect(await Set(store.outcomes(of: changes)) == [.stored])
            let again = (0..<400).map { Append.make("c\($0)", after: 1) }
            #expect(await Set(store.outcomes(of: again)) == [.stored])
            let count = try await store.channelCount()
            #expect(count == 400)
        }
    }

    @Test func `appends of one channel take effect in order, in one call`() async throws {
        try await JetStreamFixture.run { store in
            let changes = (0..<50).map { Append.make(after: Int64($0), snapshot: $0 % 7 == 0) }
            #expect(await Set(store.outcomes(of: changes)) == [.stored])
            let last = try await store.load(self.ops).last
            #expect(last == Offset(rawValue: 50))
        }
    }

    @Test func `what is stored survives the process`() async throws {
        try await JetStreamFixture.run { store in
            try await store.setWebhooks([.make("a")], of: self.ops)
            try await store.append(.make(count: 2, deliveries: [.make("a", "1", at: 1), .make("a", "2", at: 2)]))
            let first = try #require(try await store.dueDeliveries(at: .at(1), limit: 1, share: .unlimited).first)
            try await store.settle(first.id, .retry(at: .at(7), resting: nil))
            #expect(try await store.replaceDocument(.settings, expecting: nil, with: [1, 2]))
            await store.close()

            let again = try await JetStreamFixture.open(store.subjects.prefix)
            #expect(again.epoch == store.epoch)
            #expect(try await again.load(self.ops).last == Offset(rawValue: 2))
            #expect(try await again.document(.settings) == [1, 2])
            let due = try await again.dueDeliveries(at: .at(9), limit: 9, share: .unlimited)
            #expect(try await again.delivery(due[0].id)?.message.message == "2")
            #expect(try await again.delivery(due[1].id)?.tries == 1)
            // Numbers of the former process are unknown in this one.
            #expect(!due.map(\.id).contains(first.id))
            await again.close()
        }
    }

    @Test func `a change of webhooks removes deliveries that an interrupted one has left`() async throws {
        try await JetStreamFixture.run { store in
            try await store.setWebhooks([.make("a"), .make("b")], of: self.ops)
            try await store.append(.make(deliveries: [.make("a", "1", at: 1), .make("b", "2", at: 2)]))
            try await self.storeList([.make("b")], store)
            #expect(try await store.setWebhooks([.make("b")], of: self.ops) == 1)
            try await store.setWebhooks([.make("a"), .make("b")], of: self.ops)
            let due = try await store.dueDeliveries(at: .at(9), limit: 9, share: .unlimited)
            #expect(due.map(\.url) == [.make("b")])
        }
    }

    /// Stores a list of webhooks, as a change that is interrupted before it removes deliveries.
    private func storeList(_ webhooks: [Webhook], _ store: JetStreamStore) async throws {
        let sequence = try await store.webhooksMessage(of: self.ops)?.sequence ?? 0
        let change = StreamMessage(
            subject: store.subjects.subject(.webhooks, of: self.ops),
            body: SealedWebhooks.encode(webhooks, of: self.ops, store.options.secrets),
            expectedLastSequence: sequence,
            replacesSubject: true
        )
        #expect(try await store.read.publish(change) != nil)
    }

    @Test func `the next owner removes the deliveries that an interrupted change of webhooks has left`() async throws {
        try await JetStreamFixture.runTwo { former, next in
            try await former.setWebhooks([.make("a"), .make("b")], of: self.ops)
            let deliveries = [("a", "1", 1.0), ("a", "2", 99), ("b", "3", 1)].map(NewDelivery.make)
            try await former.append(.make(deliveries: deliveries))
            try await self.storeList([.make("a", isEnabled: false), .make("b")], former)
            // It knows the new list, so a repetition of the change would store nothing.
            _ = try await next.load(self.ops)
            let due = try await next.dueDeliveries(at: .at(9), limit: 9, share: .unlimited)
            #expect(due.map(\.url) == [.make("b")])
            #expect(next.deliveryCounts.waiting == 1)
            #expect(try await self.subjects(next, .delivery).count == 1)
        }
    }

    @Test func `a webhook that is switched on again gets nothing that an interrupted change has left`() async throws {
        try await JetStreamFixture.run { store in
            try await store.setWebhooks([.make("a")], of: self.ops)
            // The delivery waits for another attempt, so it is not read while the webhook is disabled.
            try await store.append(.make(deliveries: [.make("a", "1", at: 99)]))
            try await self.storeList([.make("a", isEnabled: false)], store)
            #expect(try await store.setWebhooks([.make("a")], of: self.ops) == 1)
            #expect(try await self.subjects(store, .delivery).isEmpty)
            try await store.append(.make(after: 1, deliveries: [.make("a", "2", at: 1)]))
            #expect(store.deliveryCounts.waiting == 1)
        }
    }

    @Test func `more deliveries than fit into a batch all become due`() async throws {
        try await JetStreamFixture.run { store in
            try await store.setWebhooks((0..<8).map { .make("\($0)") }, of: self.ops)
            let deliveries = (0..<2000).map { NewDelivery.make("\($0 % 8)", "\($0)", at: Double($0)) }
            try await store.append(.make(count: 100, deliveries: deliveries))
            #expect(store.deliveryCounts == DeliveryQueueCounts(waiting: 2000, displaced: 0))
            let noted = store.deliveries.withLock { $0.entries.mapValues(\.sequence) }
            // As in another process, which has to read them first.
            store.deliveries.withLock { $0 = DeliveryIndex() }
            let due = try await store.dueDeliveries(at: .at(9999), limit: .max, share: .unlimited)
            try #require(due.count == 2000)
            let found = store.deliveries.withLock { $0.entries.mapValues(\.sequence) }
            #expect(found == noted)
            for number in [0, 898, 899, 900, 1999] {
                #expect(try await store.delivery(due[number].id)?.message.message == "\(number)")
            }
        }
    }

    @Test func `deliveries are sent while one log does not answer, which is read again once it does`() async throws {
        try await JetStreamFixture.run { store in
            let log = Subjects.log(of: self.ops)
            let names = (0..<64).map { ChannelName.make("c\($0)") }
            let other = try #require(names.first { Subjects.log(of: $0) != log })
            for channel in [self.ops, other] {
                try await store.setWebhooks([.make("a")], of: channel)
                try await store.append(.make(channel.rawValue, deliveries: [.make("a", "m", at: 1)]))
            }
            #expect(try await store.dueDeliveries(at: .at(1), limit: 9, share: .unlimited).count == 2)
            // Reads of it fail at once; without its leader they would fail after `patience`.
            let removal = NATSMessage(subject: "$JS.API.STREAM.DELETE.\(store.subjects.stream(log))")
            _ = try await store.write.client.request(removal, timeout: .seconds(60))
            store.deliveries.withLock { $0.refreshed = nil }
            let due = try await store.dueDeliveries(at: .at(1), limit: 9, share: .unlimited)
            #expect(due.map(\.channel) == [other])
            #expect(store.deliveryCounts.waiting == 2)
            try await Streams(read: store.read, replicas: 1).make()
            while store.deliveries.withLock({ !$0.silentLogs.isEmpty }) { try await Task.sleep(for: .milliseconds(10)) }
            // The new stream does not have the delivery.
            #expect(store.deliveryCounts.waiting == 1)
        }
    }

    @Test func `the channels of a partition that have a deadline are found`() async throws {
        try await JetStreamFixture.run { store in
            let event = StoredEvent(offset: .origin.next, at: .at(4), envelope: [1])
            try await store.append(
                Append(channel: self.ops, expected: .origin, events: .written([event]), due: .at(9))
            )
            try await store.append(.make("idle"))
            try await store.append(
                Append(channel: .make("gone"), expected: .origin, events: .written([event]), due: .at(9))
            )
            try await store.forget(.make("gone"), at: .origin.next)
            let names = try await store.timedChannels(inPartitions: Array(0..<Partition.count))
            #expect(names == [self.ops])
            #expect(await store.canWriteAllLogs())
            #expect(try #require(await store.clusterTime()) > .at(1_000_000_000))
        }
    }

    @Test func `a foreign message is reported as corrupt`() async throws {
        try await JetStreamFixture.run { store in
            let message = StreamMessage(subject: store.subjects.subject(.log, of: self.ops), body: [1])
            _ = try await store.read { (client) async throws(NATSError) in try await client.publish(message) }
            await #expect(throws: LogReader.damage(self.ops)) { try await store.load(self.ops) }
            await #expect(throws: LogReader.damage(self.ops)) { try await store.append(.make()) }
        }
    }
}
