import EventLoop
import Metrics
import TestSupport
import Testing
import ToastCore

@testable import ToastHub

/// Eviction of idle channels from memory.
@Suite struct EvictionTests {
    @Test func atTheLimitTheLeastRecentlyUsedChannelIsEvicted() async throws {
        let lab = try await TestHub()
        let hub = self.makeHub(in: lab)
        hub.limitChannels(to: 3)
        // The fourth channel evicts the first, after a check of all of them.
        for name in ["a", "b", "c", "d"] { try await self.use(name, of: hub) }
        try await self.use("c", of: hub)
        try await self.use("e", of: hub)
        #expect(self.loaded(in: hub) == 3)
        let loads = lab.store.loads
        try await self.use("c", of: hub)
        #expect(lab.store.loads == loads)
        try await self.use("b", of: hub)
        #expect(lab.store.loads == loads + 1)
    }

    @Test func channelsWithListenersAreNotEvicted() async throws {
        let lab = try await TestHub()
        lab.hub.limitChannels(to: 2)
        // The limit is one channel per loop.
        let names = ["a", "b", "c", "d"].filter { lab.hub.registry(of: TestHub.name($0)).loop === lab.loops[0] }
        let (first, second) = (try #require(names.first), try #require(names.last))
        try #require(first != second)
        let listener = try await lab.listen(to: [first])
        #expect(await listener.next(1).map(\.type) == ["snapshot"])
        await #expect(throws: ChannelError.tooManyChannels) { try await lab.publish("x", to: second) }
        _ = try await lab.publish("x", to: first)
        #expect(await listener.next(2).map(\.type) == ["enqueued", "presented"])
    }

    @Test(.timeLimit(.minutes(15)))
    func aSweepEvictsChannelsThatWereNotUsedSinceThePrevious() async throws {
        let lab = try await TestHub()
        let hub = self.makeHub(in: lab)
        let registry = hub.registry(of: TestHub.name("a"))
        // One step checks 256 channels, so three steps are a sweep; the next sweep runs by itself.
        for number in 0..<600 { try await self.use("c\(number)", of: hub) }
        let loaded = await withCheckedContinuation { continuation in
            registry.loop.execute {
                for _ in 0..<3 { registry.wake(token: 0) }
                continuation.resume(returning: self.loaded(in: hub))
            }
        }
        #expect(loaded == 600)
        while self.loaded(in: hub) > 0 { await Task.yield() }
    }

    @Test func allIdleChannelsAreEvictedWhenMemoryIsShort() async throws {
        let lab = try await TestHub()
        let hub = self.makeHub(in: lab)
        for number in 0..<600 { try await self.use("c\(number)", of: hub) }
        hub.note(isShortOfMemory: true)
        await #expect(throws: ChannelError.outOfMemory) { try await self.use("d", of: hub) }
        #expect(self.loaded(in: hub) == 0)
    }

    @Test func newDefaultsDoNotReviveAChannelThatHasLeftMemory() async throws {
        let lab = try await TestHub()
        let defaults = ServerDefaults(store: lab.store, sent: SettingsDefaults())
        let loops = [lab.loops[0]]
        let clock = lab.hub.clock
        let hub = Hub(loops: loops, store: lab.store, clock: clock, defaults: defaults)
        // New defaults are applied to 256 channels in one step, so the last channel is left to the next step.
        for number in 0..<256 { try await self.use("c\(number)", of: hub) }
        let last = TestHub.name("last")
        let draft = try ToastDraft(message: "waits for somebody to see it")
        _ = try await hub.perform(.publish(PublishRequest([draft])), on: last)
        #expect(self.queued(in: hub) == 1)
        await defaults.replaceFile(with: try SettingsDefaults(json: ["pause": 1]))
        let registry = hub.registry(of: last)
        await registry.applyDefaultsAndForgetIdle()
        #expect(self.loaded(in: hub) == 0)
        #expect(self.queued(in: hub) == 0)
    }

    /// A hub on one loop, so that all channels share its limit.
    private func makeHub(in lab: TestHub) -> Hub {
        Hub(loops: [lab.loops[0]], store: lab.store, clock: lab.hub.clock)
    }

    private func use(_ name: String, of hub: Hub) async throws {
        _ = try await hub.perform(.read(.summary), on: TestHub.name(name))
    }

    private func loaded(in hub: Hub) -> Int { hub.channelMeters.reduce(0) { $0 + $1.loaded.value } }

    private func queued(in hub: Hub) -> Int { hub.channelMeters.reduce(0) { $0 + $1.queued.value } }
}

extension Registry {
    /// Begins to apply new defaults, and removes all channels before the next step.
    fileprivate func applyDefaultsAndForgetIdle() async {
        let steps = Task.immediate { await self.applyDefaults() }
        self.forgetIdle()
        await steps.value
    }
}
