import Testing
import ToastCore

@testable import ToastHub

/// What a channel says first to those who come, whatever else happens to it at that moment.
@Suite struct JoinTests {
    /// Beside one who is there already nothing about the audience changes, so there is only the store to wait for.
    @Test(.timeLimit(.minutes(1)), arguments: [0, 1])
    func whoComesWhileAToastIsBeingStoredIsNotShownItBefore(loop: Int) async throws {
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

    /// Whether or not its coming has to be stored before it can begin.
    @Test(arguments: [0, 1]) func whoComesIsCountedOnceAndHeeded(loop: Int) async throws {
        let lab = try await TestHub()
        _ = try await lab.publish("waits")
        var tickets: [PendingStream] = []
        for (isAssistive, scale) in [(false, 1.0), (false, 1), (false, 3), (true, 1), (true, 3)] {
            let request = StreamRequest(
                channels: [TestHub.name("ops")],
                isComposite: false,
                isAssistive: isAssistive,
                scale: scale
            )
            tickets.append(try await lab.fanouts[loop].openEventStream(request))
            let (known, actual) = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
                (await channel.engine.audience, await channel.audience)
            }
            #expect(known == actual)
            #expect(try await lab.audience == tickets.count)
        }
        tickets.removeAll()
        try await lab.eventually { try await lab.audience == 0 }
    }
}

extension TestHub {
    /// How many event streams the channel `ops` knows of.
    fileprivate var audience: Int {
        get async throws {
            try await self.hub.perform(on: Self.name("ops")) { channel throws(ChannelError) in
                await channel.audienceCounts[.sse] ?? 0
            }
        }
    }
}
