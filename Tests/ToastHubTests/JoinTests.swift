import MicroHTTP
import Synchronization
import TestSupport
import Testing
import ToastCore

@testable import ToastHub

/// The opening that a channel sends to new listeners while other changes are under way.
@Suite struct JoinTests {
    /// With an earlier listener the audience does not change, so the join waits only for the store.
    @Test(.timeLimit(.minutes(15)), arguments: [0, 1])
    func aNewListenerDoesNotSeeAToastBeforeItIsStored(loop: Int) async throws {
        let lab = try await TestHub()
        let first = try await lab.listen(on: loop)
        _ = try await lab.publish("stored")
        lab.store.shut()
        let refused = Task { try await lab.publish("never stored") }
        await lab.store.arrival()
        let late = Task { try await lab.listen(on: loop) }
        while try await lab.audience < 2 { await Task.yield() }
        lab.store.fail(with: .unavailable("gone"))
        lab.store.open()
        await #expect(throws: ChannelError.self) { try await refused.value }
        await #expect(throws: StreamError.self) { try await late.value }
        lab.store.fail(with: nil)
        let next = try await lab.listen(on: loop)
        #expect(await next.next(1).first?.data["presented"]?.array?.count == 1)
        withExtendedLifetime(first) {}
    }

    @Test func aListenerThatLeftWhileItsChannelWasLoadedIsNotCounted() async throws {
        let lab = try await TestHub()
        let hasLeft = Atomic(false)
        let request = StreamRequest(
            channels: [TestHub.name("ops")],
            isComposite: false,
            hasLeft: { hasLeft.load(ordering: .relaxed) }
        )
        lab.store.shutLoads()
        let late = Task { try await lab.fanouts[0].openEventStream(request) }
        let channel = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in channel }
        try await lab.eventually { await channel.isLoading }
        hasLeft.store(true, ordering: .relaxed)
        lab.store.openLoads()
        await #expect(throws: StreamError.channel(.listenerLeft)) { _ = try await late.value }
        #expect(try await lab.audience == 0)
    }

    /// Reading can take as long as the log is silent, and the stream has no socket that would tell.
    @Test func aPollWhoseClientLeavesWhileItsEventsAreReadIsNoLongerAudience() async throws {
        let lab = try await TestHub()
        _ = try await lab.publish("missed")
        let hasLeft = Atomic(false)
        let request = StreamRequest(
            channels: [TestHub.name("ops")],
            isComposite: false,
            cursor: Cursor("\(lab.hub.epoch.rawValue)-0"),
            hasLeft: { hasLeft.load(ordering: .relaxed) }
        )
        lab.store.shutHistory()
        let poll = Task {
            try await lab.fanouts[0].openPoll(request, wait: Interval(seconds: 60)) { body, _ in Frame(body) }
        }
        try await lab.eventually { lab.store.hasReaders }
        #expect(try await lab.summary().audience == [.poll: 1])
        hasLeft.store(true, ordering: .relaxed)
        try await lab.eventually { try await lab.summary().audience.isEmpty }
        #expect(await lab.fanouts[0].count == 0)
        lab.store.openHistory()
        guard case .waiting = try await poll.value else { throw UnexpectedOutcome() }
    }

    @Test func aStreamWhoseClientLeavesWhileAChannelIsJoinedIsNoLongerAudienceOfAnother() async throws {
        let lab = try await TestHub()
        let hasLeft = Atomic(false)
        let request = StreamRequest(
            channels: ["ops", "slow"].map(TestHub.name),
            isComposite: true,
            hasLeft: { hasLeft.load(ordering: .relaxed) }
        )
        _ = try await lab.publish("loads its channel")
        lab.store.shutLoads()
        let stream = Task { try await lab.fanouts[0].openEventStream(request) }
        try await lab.eventually { try await lab.audience == 1 }
        hasLeft.store(true, ordering: .relaxed)
        try await lab.eventually { try await lab.audience == 0 }
        lab.store.openLoads()
        await #expect(throws: StreamError.channel(.listenerLeft)) { _ = try await stream.value }
    }

    /// Whether or not the change of the audience must be stored before the stream begins.
    @Test(arguments: [0, 1]) func aNewListenerIsCountedOnceAndPassedToTheEngine(loop: Int) async throws {
        let lab = try await TestHub()
        _ = try await lab.publish("waits")
        var pendingStreams: [PendingStream] = []
        for (isAssistive, scale) in [(false, 1.0), (false, 1), (false, 3), (true, 1), (true, 3)] {
            let request = StreamRequest(
                channels: [TestHub.name("ops")],
                isComposite: false,
                isAssistive: isAssistive,
                scale: scale
            )
            pendingStreams.append(try await lab.fanouts[loop].openEventStream(request))
            let (known, actual) = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
                (await channel.engine.audience, await channel.listeners.audience)
            }
            #expect(known == actual)
            #expect(try await lab.audience == pendingStreams.count)
        }
        pendingStreams.removeAll()
        try await lab.eventually { try await lab.audience == 0 }
    }
}

extension TestHub {
    /// The number of event streams that the channel `ops` counts.
    fileprivate var audience: Int {
        get async throws {
            try await self.hub.perform(on: Self.name("ops")) { channel throws(ChannelError) in
                await channel.listeners.transports[.sse] ?? 0
            }
        }
    }
}
