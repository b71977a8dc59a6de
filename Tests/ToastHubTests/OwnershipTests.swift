import EventLoop
import Metrics
import Synchronization
import TestSupport
import Testing
import ToastCore

@testable import ToastHub

/// What a hub does for other processes on the same log.
@Suite struct OwnershipTests {
    @Test func aReleasedChannelLeavesMemoryAndGoesOnElsewhere() async throws {
        let lab = try await TestHub(hasImmediateStore: true)
        let listener = try await lab.listen()
        _ = await listener.next(1)
        _ = try await lab.publish("one")
        #expect(await listener.next(2).map(\.type) == ["enqueued", "presented"])
        #expect(await lab.hub.release { $0 == TestHub.name("other") } == 0)
        #expect(lab.loaded == 1)
        #expect(await lab.hub.release { $0 == TestHub.name("ops") } == 0)
        #expect(lab.loaded == 0)
        // Nothing has ended: the toast is still on screen.
        let summary = try await lab.summary()
        #expect(summary.presented == 1 && summary.audience.isEmpty)
    }

    @Test func aChannelWithACommitUnderWayIsReleasedLater() async throws {
        let lab = try await TestHub()
        lab.store.shut()
        let publish = Task { try await lab.publish("slow") }
        await lab.store.arrival()
        #expect(await lab.hub.release { _ in true } == 1)
        lab.store.open()
        _ = try await publish.value
        #expect(await lab.hub.release { _ in true } == 0)
        #expect(lab.loaded == 0)
        #expect(try await lab.summary().queued == 1)
    }

    @Test func aPublishUnderTheSameIdsIsARepetition() async throws {
        let lab = try await TestHub()
        var random = RandomBlock()
        let ids = (0..<2).map { _ in ToastID(at: lab.hub.now, using: &random) }
        let drafts = try ["one", "two"].map { try ToastDraft(message: $0) }
        let request = ChannelRequest.publish(PublishRequest(drafts, ids: ids))
        for _ in 0..<2 {
            let answer = try await lab.hub.perform(request, on: TestHub.name("ops"))
            let publication = try #require(answer.publication)
            #expect(publication.toasts.map(\.id) == ids)
            #expect(publication.isNew && publication.known.isEmpty)
        }
        #expect(try await lab.summary().queued == 2)
    }

    @Test func aStreamThatIsToldOfLostEventsReadsThem() async throws {
        let lab = try await TestHub()
        let other = Hub(loops: lab.loops, store: lab.store, clock: lab.hub.clock)
        let listener = try await lab.listen(isAudience: false)
        _ = await listener.next(1)
        let draft = try ToastDraft(message: "from another process")
        _ = try await other.perform(.publish(PublishRequest([draft])), on: TestHub.name("ops"))
        for fanout in lab.fanouts {
            fanout.channel(TestHub.name("ops"), isStoredThrough: Offset(rawValue: 1))
            // An offset that is known already changes nothing.
            fanout.channel(TestHub.name("ops"), isStoredThrough: .origin)
        }
        #expect(await listener.next(1).map(\.type) == ["enqueued"])
        _ = try await lab.publish("next")
        #expect(await listener.next(1).map(\.id) == ["\(lab.hub.epoch.rawValue)-2"])
    }

    @Test func `listeners that are counted again learn of new defaults`() async throws {
        let lab = try await TestHub()
        let name = TestHub.name("ops")
        _ = try await lab.publish("one")
        await lab.hub.defaults.replaceFile(with: try SettingsDefaults(json: ["pause": 1]))
        await lab.hub.applyDefaults()
        #expect(try await lab.summary().cursor.offset(in: name) == Offset(rawValue: 1))
        var counts = ListenerCounts()
        counts.unseen = 1
        _ = await lab.hub.renew([name: counts], of: lab.fanouts[0])
        #expect(try await lab.summary().cursor.offset(in: name) == Offset(rawValue: 2))
    }

    @Test func `a listener is let in while new defaults cannot be stored`() async throws {
        let lab = try await TestHub()
        _ = try await lab.publish("one")
        await lab.hub.defaults.replaceFile(with: try SettingsDefaults(json: ["pause": 1]))
        await lab.hub.applyDefaults()
        lab.store.fail(with: .unavailable("The disk is full."))
        let listener = try await lab.listen(isAudience: false)
        let snapshot = try #require(await listener.next(1).first)
        #expect(snapshot.type == "snapshot")
        #expect(snapshot.data["effective"]?["pause"] == 1)
    }

    @Test func theListenersOfAProcessAreReplacedAsAWhole() async throws {
        let lab = try await TestHub()
        let (name, observer) = (TestHub.name("ops"), lab.fanouts[0])
        var counts = ListenerCounts()
        counts.transports[Transport.poll.ordinal] = 4
        #expect(await lab.hub.renew([name: counts], of: observer).isEmpty)
        _ = try await lab.publish("waits")
        #expect(await lab.hub.renew([name: counts], of: observer) == [name: Offset(rawValue: 1)])
        #expect(try await lab.summary().audience == [.poll: 4])
        #expect(try await lab.summary().presented == 1)
        lab.hub.leaveHere(name, observer)
        #expect(try await lab.summary().audience.isEmpty)
    }

    private func hub(of lab: TestHub, _ gate: StubGate, _ lead: LeadingTime = LeadingTime()) -> Hub {
        Hub(
            loops: lab.loops,
            store: lab.store,
            clock: HubClock { lead.nanoseconds },
            gate: gate
        )
    }

    @Test func aProcessThatIsNotSureDecidesNothing() async throws {
        let lab = try await TestHub()
        let gate = StubGate()
        let hub = self.hub(of: lab, gate)
        let (name, draft) = (TestHub.name("ops"), try ToastDraft(message: "one"))
        _ = try await hub.performHere(.publish(PublishRequest([draft])), on: name)
        var counts = ListenerCounts()
        counts.transports[Transport.sse.ordinal] = 1
        let attendance = Attendance(observer: RecordingObserver(), listeners: .all(counts))
        let requests: [ChannelRequest] = [.publish(PublishRequest([draft])), .read(.summary), .attend(attendance)]
        gate.isSure = false
        for request in requests {
            let lostChannel = ChannelError.store(.conflict(current: Offset(rawValue: 1)))
            await #expect(throws: lostChannel) { try await hub.performHere(request, on: name) }
        }
        gate.isSure = true
        guard case .summary(let summary) = try await hub.performHere(.read(.summary), on: name) else {
            Issue.record("There is no summary.")
            return
        }
        #expect(summary.queued == 1 && summary.audience.isEmpty)
    }

    @Test func aRequestThatWasUnderWayWhenTheChannelWasLostDecidesNothing() async throws {
        let lab = try await TestHub()
        let gate = StubGate()
        let hub = self.hub(of: lab, gate)
        let (name, draft) = (TestHub.name("ops"), try ToastDraft(message: "one"))
        lab.store.shutLoads()
        let publish = Task { try await hub.performHere(.publish(PublishRequest([draft])), on: name) }
        let channel = try await hub.perform(on: name) { channel throws(ChannelError) in channel }
        try await lab.eventually { await channel.isLoading }
        gate.isSure = false
        lab.store.openLoads()
        await #expect(throws: ChannelError.self) { try await publish.value }
        #expect(try await lab.store.events(of: name, after: .origin, limit: 9).events.isEmpty)
    }

    @Test func aChannelIsLoadedAgainWhenAListenerKnowsMore() async throws {
        let lab = try await TestHub(hasImmediateStore: true)
        let gate = StubGate()
        let hub = self.hub(of: lab, gate)
        let (name, draft) = (TestHub.name("ops"), try ToastDraft(message: "one"))
        _ = try await hub.performHere(.publish(PublishRequest([draft])), on: name)
        // A former owner's append reaches the log.
        let other = Hub(loops: lab.loops, store: lab.store, clock: lab.hub.clock)
        _ = try await other.perform(.publish(PublishRequest([draft])), on: name)
        hub.reload(name, knowing: Offset(rawValue: 2))
        guard case .summary(let summary) = try await hub.performHere(.read(.summary), on: name) else {
            Issue.record("There is no summary.")
            return
        }
        #expect(summary.queued == 2)
    }

    @Test func aTimerWaitsUntilTheProcessIsSureThatItDecides() async throws {
        let lab = try await TestHub()
        let (gate, lead) = (StubGate(), LeadingTime())
        let hub = self.hub(of: lab, gate, lead)
        let (name, observer) = (TestHub.name("ops"), RecordingObserver())
        var counts = ListenerCounts()
        counts.transports[Transport.sse.ordinal] = 1
        let draft = try ToastDraft(json: ["message": "overdue", "duration": 600])
        _ = try await hub.performHere(.publish(PublishRequest([draft])), on: name)
        _ = await hub.renew([name: counts], of: observer)
        await observer.wait(for: "presented")
        gate.isSure = false
        lead.advance(by: Interval(seconds: 700))
        try await hub.perform(on: name) { channel throws(ChannelError) in
            channel.wake(token: 0)
            try await channel.awaitStorage()
            #expect(await !channel.isIdle, "its timer is set again")
        }
        #expect(!observer.types.contains("dismissed"))
        gate.isSure = true
        await observer.wait(for: "dismissed")
    }
}

extension Channel {
    var isLoading: Bool { if case .loading = self.phase { true } else { false } }
}

/// How far a clock is ahead of the machine's.
private final class LeadingTime: Sendable {
    private let lead = Mutex<Int64>(0)

    var nanoseconds: Int64 { self.lead.withLock { $0 } }

    func advance(by interval: Interval) { self.lead.withLock { $0 += interval.nanoseconds } }
}

/// An observer that keeps the types of events.
private final class RecordingObserver: ChannelObserver {
    private let state = Mutex<(types: [String], waiting: [(type: String, resume: CheckedContinuation<Void, Never>)])>(
        ([], [])
    )

    var types: [String] { self.state.withLock { $0.types } }

    func receive(_ broadcast: Broadcast) {
        let due = self.state.withLock { state in
            state.types += broadcast.events.map(\.type.rawValue)
            let types = state.types
            defer { state.waiting.removeAll { types.contains($0.type) } }
            return state.waiting.filter { types.contains($0.type) }
        }
        for waiting in due { waiting.resume.resume() }
    }

    func channelDidRestart(_ name: ChannelName) {}
    func channel(_ name: ChannelName, isStoredThrough offset: Offset) {}

    /// Returns when an event of a type has been seen.
    func wait(for type: String) async {
        await withCheckedContinuation { continuation in
            let isThere = self.state.withLock { state in
                if !state.types.contains(type) { state.waiting.append((type, continuation)) }
                return state.types.contains(type)
            }
            if isThere { continuation.resume() }
        }
    }
}

extension TestHub {
    /// The number of channels in memory.
    fileprivate var loaded: Int { self.hub.channelMeters.reduce(0) { $0 + $1.loaded.value } }
}
