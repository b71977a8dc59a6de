import Synchronization
import TestSupport
import Testing
import ToastCore

@testable import ToastHub

@Suite struct NewDefaultsTests {
    @Test func `a change of the defaults ends when the last channel has them`() async throws {
        let lab = try await TestHub(hasImmediateStore: true)
        // More than are changed in one step.
        let names = (0..<600).map { TestHub.name("c\($0)") }
        for name in names { _ = try await lab.hub.perform(.read(.summary), on: name) }
        var counts = ListenerCounts()
        counts.transports[Transport.sse.ordinal] = 1
        let observer = CountingObserver()
        _ = await lab.hub.renew(Dictionary(uniqueKeysWithValues: names.map { ($0, counts) }), of: observer)
        await lab.hub.defaults.replaceFile(with: try SettingsDefaults(json: ["placement": "bottom"]))
        await lab.hub.applyDefaults()
        #expect(observer.count == names.count)
    }

    @Test func `a toast that waits for viewers is presented at the start when new defaults allow it`() async throws {
        let lab = try await TestHub()
        let name = TestHub.name("ops")
        _ = try await lab.publish("waits")
        let defaults = ServerDefaults(
            store: lab.store,
            file: try SettingsDefaults(json: ["whenUnattended": "present"]),
            sent: SettingsDefaults()
        )
        let restarted = Hub(loops: lab.loops, store: lab.store, clock: lab.hub.clock, defaults: defaults)
        try await restarted.wakeChannels()
        let types = try await lab.store.load(name).tail.compactMap { event in event.layout.flatMap { event.type($0) } }
        #expect(types == [.enqueued, .configured, .presented])
    }
}

/// Counts the `configured` events of all channels.
private final class CountingObserver: ChannelObserver {
    private let configured = Atomic<Int>(0)

    var count: Int { self.configured.load(ordering: .acquiring) }

    func receive(_ broadcast: Broadcast) {
        self.configured.add(broadcast.events.count { $0.type == .configured }, ordering: .releasing)
    }

    func channelDidRestart(_ name: ChannelName) {}
    func channel(_ name: ChannelName, isStoredThrough offset: Offset) {}
}
