import EventLoop
import NATS
import Synchronization
import Testing
import ToastCore

@testable import ToastStore

/// Appends whose messages get lost between a store and the cluster.
@Suite(.timeLimit(.minutes(15))) struct JetStreamLostAnswerTests {
    private let ops = ChannelName.make()

    /// Runs a test with a store behind a proxy, and another one with a direct connection.
    private func withProxy(
        patience: Duration = .seconds(10),
        answerTimeout: Duration = .milliseconds(200),
        _ test: (FrameProxy, JetStreamStore, JetStreamStore) async throws -> Void
    ) async throws {
        let prefix = JetStreamFixture.makePrefix()
        let proxy = try FrameProxy(to: JetStreamFixture.url)
        defer { proxy.end() }
        let direct = try await JetStreamFixture.open(prefix)
        let store = try await JetStreamFixture.open(prefix, url: proxy.url) { options in
            (options.answerTimeout, options.patience) = (answerTimeout, patience)
        }
        try await test(proxy, store, direct)
        proxy.drop { _ in false }
        await store.close()
        await direct.close()
        try await JetStreamFixture.removeStreams(prefix)
    }

    private func messages(_ store: JetStreamStore) async throws -> Int {
        try await store.read.log(of: self.ops, from: 1, until: .max - 1, bytes: nil).count
    }

    @Test(arguments: [1, 3])
    func `an append whose answer is lost is stored once, and reported as stored`(lost: Int) async throws {
        try await self.withProxy { proxy, store, direct in
            try await store.append(.make())
            for change in [Append.make(after: 1), .make(after: 2, snapshot: true, records: [.make("k")])] {
                let count = proxy.drop(lost, \.isAck)
                try await store.append(change)
                #expect(count.value.withLock(\.self) >= 1)
                proxy.drop { _ in false }
            }
            #expect(try await direct.load(self.ops).last == Offset(rawValue: 3))
            #expect(try await self.messages(direct) == 3)
            #expect(store.failure == nil)
        }
    }

    @Test func `a first append whose answer is lost is stored once`() async throws {
        try await self.withProxy { proxy, store, direct in
            let count = proxy.drop(1, \.isAck)
            try await store.append(.make())
            #expect(count.value.withLock(\.self) == 1)
            #expect(try await self.messages(direct) == 1)
        }
    }

    @Test(arguments: ["CONSUMER.CREATE", "CONSUMER.MSG.NEXT"])
    func `channels are found although a question about them is lost`(question: String) async throws {
        try await self.withProxy(patience: .seconds(60), answerTimeout: .seconds(1)) { proxy, store, direct in
            try await direct.append(.make())
            let count = proxy.drop(1) { !$0.isFromServer && $0.line.contains(question) }
            try await store.refreshChannels(since: .now)
            #expect(count.value.withLock(\.self) == 1)
            #expect(try await store.channels(after: nil, limit: 9) == [self.ops])
        }
    }

    @Test func `a scan that begins anew hands each message over once`() async throws {
        try await self.withProxy(patience: .seconds(60), answerTimeout: .seconds(1)) { proxy, store, direct in
            for number in 0..<5 { try await direct.append(.make(after: Int64(number))) }
            let asked = FrameProxy.DropCount()
            proxy.drop { frame in
                guard !frame.isFromServer, frame.line.contains("CONSUMER.MSG.NEXT") else { return false }
                return asked.value.withLock { count in
                    count += 1
                    return count == 2
                }
            }
            var sequences: [UInt64] = []
            let (filter, stream) = (store.subjects.subject(.log, of: self.ops), store.subjects.stream(of: self.ops))
            let scan = HeaderScan(
                connection: store.connection,
                read: store.read,
                upkeep: store.upkeep,
                selection: .all,
                filters: [filter],
                stream: stream,
                pageSize: 2
            )
            try await scan { page in
                sequences += page.map(\.sequence)
                return true
            }
            #expect(asked.value.withLock(\.self) > 3)
            #expect(sequences == sequences.sorted())
            #expect(sequences.count == 5)
            #expect(Set(sequences).count == 5)
        }
    }

    @Test func `an append that is lost itself is sent again`() async throws {
        try await self.withProxy { proxy, store, direct in
            try await store.append(.make())
            let count = proxy.drop(2, \.isLogMessage)
            try await store.append(.make(after: 1))
            #expect(count.value.withLock(\.self) == 2)
            #expect(try await self.messages(direct) == 2)
        }
    }

    @Test func `an append whose answer stays lost is undecided, and the store recovers`() async throws {
        try await self.withProxy(patience: .seconds(1)) { proxy, store, direct in
            try await store.append(.make())
            proxy.drop { $0.isFromServer && $0.line.contains("_INBOX") }
            let start = ContinuousClock.now
            let outcome = await store.outcomes(of: [.make(after: 1)])[0]
            guard case .failed(.undecided) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(ContinuousClock.now - start >= .seconds(1))
            #expect(store.failure != nil)
            // It was stored, but the store behind the proxy could not know that.
            #expect(try await direct.load(self.ops).last == Offset(rawValue: 2))
            proxy.drop { _ in false }
            while store.failure != nil { try await Task.sleep(for: .milliseconds(10)) }
            try await store.append(.make(after: 2))
            #expect(try await self.messages(direct) == 3)
        }
    }

    @Test func `a request is sent once when the patience of its task has ended`() async throws {
        try await JetStreamFixture.run { store in
            var read = store.read
            read.deadline = .now
            var count = 0
            await #expect(throws: StoreError.self) {
                try await read { (_) async throws(NATSError) in
                    count += 1
                    throw .timeout
                }
            }
            #expect(count == 1)
        }
    }

    @Test func `deliveries behind a batch whose answer is lost are stored, and reported as stored`() async throws {
        try await self.withProxy(answerTimeout: .seconds(1)) { proxy, store, direct in
            try await direct.setWebhooks([.make("a"), .make("b")], of: self.ops)
            let answers = FrameProxy.DropCount()
            // The first answer is that of the append.
            proxy.drop { frame in
                guard frame.isAck else { return false }
                return answers.value.withLock { count in
                    count += 1
                    return count == 2
                }
            }
            let deliveries = (0..<1000).map { NewDelivery.make($0 % 2 == 0 ? "a" : "b", "\($0)", at: 1) }
            try await store.append(.make(deliveries: deliveries))
            #expect(answers.value.withLock(\.self) > 3)
            #expect(store.deliveryCounts == DeliveryQueueCounts(waiting: 1000, displaced: 0))
            let due = try await direct.dueDeliveries(at: .at(1), limit: .max, share: .unlimited)
            #expect(due.count == 1000)
        }
    }

    @Test func `an append is undecided when the deliveries behind its batch do not arrive`() async throws {
        try await self.withProxy(patience: .seconds(2), answerTimeout: .seconds(2)) { proxy, store, direct in
            try await direct.setWebhooks([.make("a")], of: self.ops)
            let room = JetStreamOptions.longestBatch - 1
            let sent = FrameProxy.DropCount()
            proxy.drop { frame in
                guard !frame.isFromServer, frame.line.contains(".o.") else { return false }
                return sent.value.withLock { count in
                    count += 1
                    return count > room
                }
            }
            let deliveries = (0..<950).map { NewDelivery.make("a", "\($0)", at: 1) }
            let outcome = await store.outcomes(of: [.make(deliveries: deliveries)])[0]
            guard case .failed(.undecided) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(store.deliveryCounts == DeliveryQueueCounts(waiting: room, displaced: 950 - room))
            proxy.drop { _ in false }
            let due = try await direct.dueDeliveries(at: .at(1), limit: .max, share: .unlimited)
            #expect(due.count == room)
            // Its events are stored.
            try await store.append(.make(after: 1))
        }
    }

    @Test func `a document whose answer stays lost is undecided`() async throws {
        try await self.withProxy(patience: .seconds(1)) { proxy, store, direct in
            let manifest = store.subjects.manifest
            let isSent = Mutex(false)
            proxy.drop { frame in
                if !frame.isFromServer, frame.line.contains(manifest) { isSent.withLock { $0 = true } }
                return frame.isFromServer && frame.line.contains("_INBOX") && isSent.withLock(\.self)
            }
            do {
                _ = try await store.replaceDocument(.hooks, expecting: nil, with: [1])
                Issue.record("It cannot be known.")
            } catch StoreError.undecided(_) {
                // The expected error.
            }
            proxy.drop { _ in false }
            // It was stored, but the store behind the proxy could not know that.
            #expect(try await direct.document(.hooks) == [1])
        }
    }

    @Test func `a removal whose answer stays lost is undecided`() async throws {
        try await self.withProxy(patience: .seconds(1)) { proxy, store, direct in
            try await store.append(.make())
            let isSent = Mutex(false)
            proxy.drop { frame in
                if frame.isLogMessage { isSent.withLock { $0 = true } }
                return frame.isFromServer && frame.line.contains("_INBOX") && isSent.withLock(\.self)
            }
            do {
                _ = try await store.remove(self.ops, at: .origin.next)
                Issue.record("It cannot be known.")
            } catch StoreError.undecided(_) {
                // The expected error.
            }
            proxy.drop { _ in false }
            // It was stored, but the store behind the proxy could not know that.
            #expect(try await direct.load(self.ops).tail.isEmpty)
        }
    }

    @Test func `a store that has as much to tidy up as it may recovers from an undecided append`() async throws {
        try await self.withProxy(patience: .seconds(1)) { proxy, store, _ in
            try await store.append(.make())
            let tidying = TaskLock()
            await tidying.lock()
            for _ in 0..<UpkeepTasks.limit {
                store.upkeep.start {
                    await tidying.lock()
                    tidying.unlock()
                }
            }
            proxy.drop { $0.isFromServer && $0.line.contains("_INBOX") }
            _ = await store.outcomes(of: [.make(after: 1)])
            #expect(store.failure != nil)
            proxy.drop { _ in false }
            let end = ContinuousClock.now + .seconds(30)
            while store.failure != nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(10)) }
            #expect(store.failure == nil)
            tidying.unlock()
        }
    }

    @Test func `however many appends are undecided, one task tries whether the cluster can be written`() async throws {
        try await self.withProxy { proxy, store, _ in
            let pulse = store.subjects.pulse(0)
            let tries = proxy.drop(.max) { !$0.isFromServer && $0.line.contains(pulse) }
            store.beginProbing(.timeout)
            // Wait until the first task awaits an answer, and therefore does not check `failure`.
            while tries.value.withLock({ $0 == 0 }) { await Task.yield() }
            // As if an append to another log had succeeded.
            store.health.set(nil)
            store.beginProbing(.timeout)
            #expect(store.failure != nil)
            #expect(store.upkeep.count == 1)
            proxy.drop { _ in false }
            while store.failure != nil { try await Task.sleep(for: .milliseconds(10)) }
            // The next failure is probed, too.
            while store.upkeep.count > 0 { await Task.yield() }
            store.beginProbing(.timeout)
            while store.failure != nil { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    @Test func `an append whose answer is lost is reported as stored, also after another append`() async throws {
        try await self.withProxy { proxy, store, direct in
            try await store.append(.make())
            proxy.drop { $0.isFromServer && $0.line.contains("_INBOX") }
            async let outcome = store.outcomes(of: [.make(after: 1)])
            while try await direct.load(self.ops).last != Offset(rawValue: 2) {}
            try await direct.append(.make(after: 2))
            proxy.drop { _ in false }
            #expect(await outcome == [.stored])
            #expect(try await self.messages(direct) == 3)
        }
    }

    @Test(arguments: [false, true])
    func `webhooks that are set while former ones are read get their deliveries`(isReadForAppend: Bool) async throws {
        try await self.withProxy(patience: .seconds(60), answerTimeout: .seconds(60)) { proxy, store, direct in
            try await direct.setWebhooks([.make("a")], of: self.ops)
            try await direct.append(.make(deliveries: [.make("a", "1", at: 1)]))
            let subject = store.subjects.subject(.webhooks, of: self.ops)
            proxy.hold { $0.isFromServer && $0.body.contains(subject) }
            let isOver = Mutex(false)
            let reading = Task { () async throws -> Void in
                defer { isOver.withLock { $0 = true } }
                guard isReadForAppend else {
                    _ = try await store.dueDeliveries(at: .at(1), limit: 9, share: .unlimited)
                    return
                }
                try await store.append(.make(after: 1, deliveries: [.make("a", "2", at: 1)]))
            }
            while !proxy.isHolding, !isOver.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            #expect(proxy.isHolding)
            try await store.setWebhooks([.make("a"), .make("b")], of: self.ops)
            proxy.release()
            try await reading.value
            try await store.append(.make(after: isReadForAppend ? 2 : 1, deliveries: [.make("b", "3", at: 1)]))
            #expect(store.deliveryCounts.waiting == 2)
        }
    }

    @Test func `a store without a connection says so, and goes on with the next one`() async throws {
        try await self.withProxy { proxy, store, _ in
            try await store.append(.make())
            proxy.cut()
            while store.failure == nil { try await Task.sleep(for: .milliseconds(1)) }
            while store.failure != nil { try await Task.sleep(for: .milliseconds(10)) }
            try await store.append(.make(after: 1))
            #expect(try await store.load(self.ops).tail.offsets == [1, 2])
        }
    }
}
