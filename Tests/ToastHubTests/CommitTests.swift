import EventLoop
import TestSupport
import Testing
import ToastCore

@testable import ToastHub

@Suite struct CommitTests {
    @Test func anAnswerLeavesOnlyAfterItsEventsAreStored() async throws {
        let lab = try await TestHub()
        lab.store.shut()
        async let answer = lab.publish("first")
        await lab.store.arrival()
        let listener = Task { try await lab.listen() }
        lab.store.open()
        _ = try await answer
        // The snapshot shows only stored events, so it had to wait, too. The toast presented because of the new
        // listener follows as an event.
        let events = try await listener.value.next(2)
        #expect(events.map(\.type) == ["snapshot", "presented"])
        #expect(events.first?.data["queuedCount"]?.integer == 1)
    }

    @Test(arguments: [false, true])
    func anEventThatTheStoreRefusedIsDropped(isImmediate: Bool) async throws {
        let lab = try await TestHub(hasImmediateStore: isImmediate)
        let listener = try await lab.listen()
        _ = try await lab.publish("kept")
        lab.store.fail(with: .unavailable("disk full"))
        await #expect(throws: ChannelError.store(.unavailable("disk full"))) { try await lab.publish("lost") }
        lab.store.fail(with: nil)
        _ = try await lab.publish("kept too")
        let events = await listener.next(4)
        #expect(events.map(\.type) == ["snapshot", "enqueued", "presented", "enqueued"])
        #expect(events.compactMap { $0.data["toast"]?["message"]?.string } == ["kept", "kept", "kept too"])
        // No gap and no repetition in the offsets, although the engine had run ahead.
        #expect(events.map { $0.id?.split(separator: "-").last.map(String.init) } == ["0", "1", "2", "3"])
    }

    /// Otherwise its sender would repeat it, and the toast would be published twice.
    @Test func aRequestThatIsStoredIsNotToldThatTheNextCommitFailed() async throws {
        let lab = try await TestHub(hasImmediateStore: true)
        lab.store.withholdOutcomes(of: TestHub.name("ops"))
        let stored = Task { try await lab.publish("stored") }
        try await lab.eventually { lab.store.withheldOutcomes == 1 }
        let failed = Task { try await lab.publish("failed") }
        let channel = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in channel }
        try await lab.eventually { await channel.hasPending }
        lab.store.fail(with: .unavailable("disk full"))
        lab.store.reportOutcomes()
        _ = try await stored.value
        await #expect(throws: ChannelError.store(.unavailable("disk full"))) { try await failed.value }
    }

    @Test(.timeLimit(.minutes(15)))
    func aRequestIsResumedWhenItsCommitEndsBeforeItSuspends() async throws {
        let lab = try await TestHub()
        _ = try await lab.publish("waits for somebody to see it")
        lab.store.hurry()
        let channel = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in channel }
        let failure: ChannelError? = await withCheckedContinuation { continuation in
            channel.loop.execute {
                channel.assumeIsolated { channel in
                    try? channel.apply(.audience(Audience(isAttached: true, isAssistive: false)))
                    channel.startCommit()
                }
                // After the append and before its completion.
                channel.loop.execute { channel.assumeIsolated { $0.awaitStorage(resuming: continuation) } }
            }
        }
        #expect(failure == nil)
        #expect(try await lab.summary().cursor.description.hasSuffix("-2"))
    }

    @Test(arguments: [nil, StoreError.unavailable("gone")])
    func aChannelIsLoadedOnceForAllWaitingRequests(failure: StoreError?) async throws {
        let lab = try await TestHub()
        lab.store.shutLoads()
        let readers = (0..<20).map { _ in Task { try await lab.summary() } }
        let channel = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in channel }
        try await lab.eventually { await channel.waitingCount == 19 }
        lab.store.openLoads(failing: failure)
        for reader in readers {
            switch await reader.result {
            case .success: #expect(failure == nil)
            case .failure(let error): #expect(error as? ChannelError == failure.map(ChannelError.store))
            }
        }
        #expect(lab.store.loads == 1)
        // A later request tries again.
        _ = try await lab.summary()
        #expect(lab.store.loads == (failure == nil ? 1 : 2))
    }

    @Test func everyPublisherGetsTheErrorWhileTheStoreFails() async throws {
        let lab = try await TestHub()
        lab.store.shut()
        lab.store.fail(with: .unavailable("gone"))
        let first = Task { try await lab.publish("first") }
        await lab.store.arrival()
        let others = (0..<9).map { number in Task { try await lab.publish("\(number)") } }
        let channel = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in channel }
        try await lab.eventually { await channel.waiterCount == 10 }
        lab.store.open()
        var failures = 0
        for publisher in [first] + others { if case .failure = await publisher.result { failures += 1 } }
        #expect(failures == 10)
        #expect(try await lab.summary().cursor.description.hasSuffix("-0"))
        // Their toasts are not part of later appends.
        lab.store.fail(with: nil)
        _ = try await lab.publish("back")
        let stored = try await lab.store.load(TestHub.name("ops")).tail
        #expect(try stored.map { try JSON(parsing: $0.envelope)["toast"]?["message"] } == ["back"])
    }

    @Test(arguments: [false, true])
    func aChannelIsRestoredFromTheStore(isImmediate: Bool) async throws {
        let lab = try await TestHub(hasImmediateStore: isImmediate)
        for number in 0..<300 { _ = try await lab.publish("\(number)") }
        // While a queue only grows, no snapshot is stored: its events are no larger than the snapshot.
        #expect(try await lab.store.load(TestHub.name("ops")).snapshot == nil)
        _ = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.clear()
        }
        for number in 0..<3 { _ = try await lab.publish("\(number)") }
        let before = try await lab.summary()
        // Another hub on the same store, as after a restart. 600 events are enough for a snapshot.
        #expect(try await lab.store.load(TestHub.name("ops")).snapshot != nil)
        let hub = Hub(loops: lab.loops, store: lab.store, clock: lab.hub.clock)
        let after = try await hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.summary()
        }
        #expect(after.queued == before.queued)
        #expect(after.cursor == before.cursor)
    }

    @Test func keysAreCountedInTheStoreOnlyAtTheLimit() async throws {
        let lab = try await TestHub()
        for number in 0..<3 { _ = try await lab.publish("x", key: "k\(number)") }
        let hub = Hub(loops: lab.loops, store: lab.store, clock: lab.hub.clock)
        let draft = try ToastDraft(message: "x")
        hub.limitKeys(to: 4)
        for (key, counts) in [("k3", 0), ("k4", 1), ("k5", 1)] {
            let request = IdempotentRequest(key: IdempotencyKey(key, of: "alice"), fingerprint: [1])
            _ = try await hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
                try await channel.publish([draft], as: request)
            }
            #expect(lab.store.recordCounts == counts)
        }
    }

    @Test(arguments: [false, true])
    func aKeyWorksOnceAndItsRepetitionGetsTheSameAnswer(isImmediate: Bool) async throws {
        let lab = try await TestHub(hasImmediateStore: isImmediate)
        let accepted = try #require(try await lab.publish("once", key: "k").publication)
        #expect(accepted.toasts.count == 1)
        guard case .repeated(let repetition) = try await lab.publish("once", key: "k") else {
            Issue.record("The second request is a repetition.")
            return
        }
        #expect(String(decoding: repetition.answer, as: UTF8.self) == "once")
        await #expect(throws: ChannelError.keyReused) { try await lab.publish("other", key: "k") }
        #expect(try await lab.summary().queued == 1)
    }

    @Test func theAppendsOfALoopInATurnReachTheStoreTogether() async throws {
        let lab = try await TestHub()
        try await self.publish(to: (0..<10).map { "c\($0)" }, in: lab)
        #expect(lab.store.batches == [10])
    }

    /// On a cluster, a channel must not wait for another one whose stream has no leader.
    @Test(.timeLimit(.minutes(1))) func aChannelDoesNotWaitForAnotherOneOfTheSameAppend() async throws {
        let lab = try await TestHub()
        lab.store.withholdOutcomes(of: TestHub.name("c0"))
        let publishers = await self.publishers(to: (0..<10).map { "c\($0)" }, in: lab)
        for publisher in publishers.dropFirst() { try await publisher.value }
        #expect(lab.store.batches == [10])
        #expect(lab.store.withheldOutcomes == 1)
        lab.store.reportOutcomes()
        try await publishers[0].value
    }

    @Test func keysThatWaitedForTheStoreAreStoredInSeveralCommits() async throws {
        let lab = try await TestHub()
        lab.store.shut()
        let publishers = (0..<1000).map { number in Task { try await lab.publish("x", key: "k\(number)") } }
        await lab.store.arrival()
        lab.store.open()
        for publisher in publishers { _ = try await publisher.value }
        #expect(lab.store.recordsOfChanges.reduce(0, +) == 1000)
        #expect(lab.store.recordsOfChanges.allSatisfy { $0 <= CommitQueue.mostRecords })
    }

    @Test func theChangesOfAChannelInATurnAreOneAppend() async throws {
        let lab = try await TestHub()
        try await self.publish(to: Array(repeating: "ops", count: 10), in: lab)
        #expect(lab.store.batches == [1])
        #expect(try await lab.store.load(TestHub.name("ops")).last.rawValue == 10)
    }

    @Test func aWaitingRequestHoldsNoEventsOfOtherRequests() async throws {
        let lab = try await TestHub()
        lab.store.shut()
        let first = Task { try await lab.publish("first") }
        await lab.store.arrival()
        let others = (0..<10).map { number in Task { try await lab.publish("\(number)") } }
        let channel = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in channel }
        try await lab.eventually { await channel.waiterCount == 11 }
        lab.store.open()
        for publisher in [first] + others {
            let accepted = try #require(try await publisher.value.publication)
            #expect(accepted.stored.count == 1)
            // A slice keeps the whole array in memory.
            #expect(accepted.stored.startIndex == 0)
        }
    }

    /// Publishes once to each channel, all in one turn of a loop.
    private func publish(to channels: [String], in lab: TestHub) async throws {
        for publisher in await self.publishers(to: channels, in: lab) { try await publisher.value }
    }

    /// Begins to publish once to each channel, all in one turn of a loop; each task ends when its toast is stored.
    private func publishers(to channels: [String], in lab: TestHub) async -> [Task<Void, any Error>] {
        let loop = lab.loops[0]
        let hub = Hub(loops: [loop], store: lab.store, clock: lab.hub.clock)
        return await withCheckedContinuation { continuation in
            loop.execute {
                let publishers = channels.map { name in
                    Task.immediate {
                        let draft = try ToastDraft(message: "a toast for \(name)")
                        _ = try await hub.perform(on: TestHub.name(name)) { channel throws(ChannelError) in
                            try await channel.publish([draft])
                        }
                    }
                }
                continuation.resume(returning: publishers)
            }
        }
    }

    @Test func aKeyOfARequestInFlightIsRefused() async throws {
        let lab = try await TestHub()
        lab.store.shut()
        async let first = lab.publish("once", key: "k")
        await lab.store.arrival()
        await #expect(throws: ChannelError.keyInUse) { try await lab.publish("once", key: "k") }
        lab.store.open()
        _ = try await first
        #expect(try await lab.summary().queued == 1)
    }
}

extension Channel {
    /// The number of requests that wait until the channel is loaded.
    fileprivate var waitingCount: Int { if case .loading(let others) = self.phase { others.count } else { 0 } }

    /// The number of requests that wait for a commit.
    fileprivate var waiterCount: Int { self.commits.waiters.count }

    fileprivate var hasPending: Bool { self.commits.hasPending }

    /// Calls `awaitStorage()` at once.
    fileprivate func awaitStorage(resuming continuation: CheckedContinuation<ChannelError?, Never>) {
        Task.immediate {
            do throws(ChannelError) {
                try await self.awaitStorage()
                continuation.resume(returning: nil)
            } catch {
                continuation.resume(returning: error)
            }
        }
    }
}
