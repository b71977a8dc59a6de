import MicroHTTP
import TestSupport
import Testing
import ToastCore

@testable import ToastHub

/// Audience: toasts are presented only to listeners that show them.
@Suite struct AudienceTests {
    /// A stream without `presented` events, or one that declares that no user sees it.
    enum NonAudience: CaseIterable {
        case filtered
        case declared
    }

    @Test(arguments: NonAudience.allCases, [0, 1])
    func toastsWaitForAViewerAndAreThenPresentedInOrder(kind: NonAudience, loop: Int) async throws {
        let lab = try await TestHub()
        let listener =
            switch kind {
            case .filtered: try await lab.listen(on: loop, filter: EventFilter([.acted]))
            case .declared: try await lab.listen(on: loop, isAudience: false)
            }
        #expect(await listener.next(1).map(\.type) == ["snapshot"])
        // Each toast lasts ten minutes.
        for number in 0..<3 { _ = try await lab.publish("\(number)") }
        for _ in 0..<12 { try await lab.letPass(seconds: 3600) }
        #expect(try await lab.messages(.queued) == ["0", "1", "2"])
        #expect(try await lab.summary().audience.isEmpty)

        let viewer = try await lab.listen(on: loop)
        #expect(await viewer.next(1).first?.data["queuedCount"] == 3)
        for number in 0..<3 {
            let shown = try #require(await viewer.next(1).first)
            #expect(shown.type == "presented")
            #expect(shown.data["toast"]?["message"]?.string == "\(number)")
            // Less by as long as the event took, if the stream got it from the log.
            let remaining = try #require(shown.data["remaining"]?.number)
            #expect((540...600).contains(remaining))
            // Its duration, its exit, and the pause before the next toast.
            try await lab.letPass(seconds: 600)
            try await lab.letPass(seconds: 1)
            #expect(await viewer.next(1).first?.data["dismissReason"] == "timeout")
        }
        withExtendedLifetime(listener) {}
    }

    @Test func aSocketWithoutPresentedEventsIsNotAudience() async throws {
        let lab = try await TestHub()
        let request = StreamRequest(
            channels: [TestHub.name("ops")],
            isComposite: false,
            filter: EventFilter([.dismissed])
        )
        let pendingStream = try await lab.fanouts[0].openWebSocket(request)
        _ = try await lab.publish("waits")
        #expect(try await lab.messages(.queued) == ["waits"])
        withExtendedLifetime(pendingStream) {}
    }

    @Test func aFirstPollIsAnsweredAndPresentsNothing() async throws {
        let lab = try await TestHub()
        _ = try await lab.publish("waits")
        let first = try await lab.poll(since: nil)
        #expect(first["events"]?.array?.first?["queuedCount"] == 1)
        #expect(try await lab.messages(.queued) == ["waits"])
        // A client that polls again is audience.
        let second = try await lab.poll(since: first["cursor"]?.string)
        #expect(second["events"]?.array?.first?["type"] == "presented")
    }

    @Test func aListenerThatIsNotAudienceDoesNotScaleDurations() async throws {
        let lab = try await TestHub()
        let request = StreamRequest(
            channels: [TestHub.name("ops")],
            isComposite: false,
            isAudience: false,
            isAssistive: true,
            scale: 10
        )
        let pendingStream = try await lab.fanouts[1].openEventStream(request)
        let viewer = try await lab.listen()
        _ = try await lab.publish("ten minutes")
        #expect(await viewer.next(3).last?.data["remaining"]?.number == 600)
        withExtendedLifetime(pendingStream) {}
    }
}

extension TestHub {
    /// Advances the clock of the channel `ops`, which runs ahead from now on.
    fileprivate func letPass(seconds: Double) async throws {
        try await self.hub.perform(on: Self.name("ops")) { channel throws(ChannelError) in
            await channel.skip(Interval(seconds: seconds))
            try await channel.awaitStorage()
        }
    }

    fileprivate func messages(_ state: ToastState) async throws -> [String] {
        try await self.hub.perform(on: Self.name("ops")) { channel throws(ChannelError) in
            try await channel.toasts(in: state)
        }.toasts.map { $0.message?.text ?? "" }
    }

    fileprivate func poll(since cursor: String?) async throws -> JSON {
        let request = StreamRequest(
            channels: [Self.name("ops")],
            isComposite: false,
            cursor: cursor.flatMap(Cursor.init)
        )
        let outcome = try await self.fanouts[0].openPoll(request, wait: .zero) { body, _ in Frame(body) }
        guard case .ready(let body) = outcome else { throw UnexpectedOutcome() }
        return try JSON(parsing: body, depthLimit: 32)
    }
}

extension Channel {
    fileprivate func skip(_ interval: Interval) {
        self.clock = self.clock.notBefore(self.now + interval)
        self.runOverdue()
    }
}
