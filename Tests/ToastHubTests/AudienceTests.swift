import MicroHTTP
import Testing
import ToastCore

@testable import ToastHub

/// Who is audience: toasts come on screen for those who see them, and for nobody else.
@Suite struct AudienceTests {
    /// A stream without `presented`, or one that says that nobody sees it.
    enum Unseeing: CaseIterable {
        case filtered
        case declared
    }

    @Test(arguments: Unseeing.allCases, [0, 1])
    func overNightNothingIsShownToWhoSeesNothingAndAViewerThenSeesAllInTurn(kind: Unseeing, loop: Int) async throws {
        let lab = try await TestHub()
        let unseeing =
            switch kind {
            case .filtered: try await lab.listen(on: loop, filter: EventFilter([.acted]))
            case .declared: try await lab.listen(on: loop, isAudience: false)
            }
        #expect(await unseeing.next(1).map(\.type) == ["snapshot"])
        // Each lasts ten minutes.
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
            #expect(shown.data["remaining"]?.number == 600)
            // Its time, its exit, and the pause before the next one.
            try await lab.letPass(seconds: 600)
            try await lab.letPass(seconds: 1)
            #expect(await viewer.next(1).first?.data["dismissReason"] == "timeout")
        }
        withExtendedLifetime(unseeing) {}
    }

    @Test func aSocketWithoutWhatComesOnScreenIsNoAudience() async throws {
        let lab = try await TestHub()
        let request = StreamRequest(
            channels: [TestHub.name("ops")],
            isComposite: false,
            filter: EventFilter([.dismissed])
        )
        let ticket = try await lab.fanouts[0].openWebSocket(request)
        _ = try await lab.publish("waits")
        #expect(try await lab.messages(.queued) == ["waits"])
        withExtendedLifetime(ticket) {}
    }

    @Test func aFirstPollIsAnsweredAndPresentsNothing() async throws {
        let lab = try await TestHub()
        _ = try await lab.publish("waits")
        let first = try await lab.poll(since: nil)
        #expect(first["events"]?.array?.first?["queuedCount"] == 1)
        #expect(try await lab.messages(.queued) == ["waits"])
        // Whoever asks again looks on.
        let second = try await lab.poll(since: first["cursor"]?.string)
        #expect(second["events"]?.array?.first?["type"] == "presented")
    }

    @Test func whoSeesNothingHasNoSayInHowLongOthersSee() async throws {
        let lab = try await TestHub()
        let request = StreamRequest(
            channels: [TestHub.name("ops")],
            isComposite: false,
            isAudience: false,
            isAssistive: true,
            scale: 10
        )
        let ticket = try await lab.fanouts[1].openEventStream(request)
        let viewer = try await lab.listen()
        _ = try await lab.publish("ten minutes")
        #expect(await viewer.next(3).last?.data["remaining"]?.number == 600)
        withExtendedLifetime(ticket) {}
    }
}

extension TestHub {
    /// Lets time pass for the channel `ops`, whose clock runs ahead from now on.
    fileprivate func letPass(seconds: Double) async throws {
        try await self.hub.perform(on: Self.name("ops")) { channel throws(ChannelError) in
            await channel.skip(Interval(seconds: seconds))
            try await channel.settle()
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
        guard case .ready(let body) = outcome else { throw SocketPairFailure() }
        return try JSON(parsing: body, depthLimit: 32)
    }
}

extension Channel {
    fileprivate func skip(_ interval: Interval) {
        self.clock = self.clock.notBefore(self.now + interval)
        self.catchUp()
    }
}
