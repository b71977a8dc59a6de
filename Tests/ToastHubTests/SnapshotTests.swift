import TestSupport
import Testing
import ToastCore

@testable import ToastHub

@Suite struct SnapshotTests {
    @Test func `no snapshot is stored before the log has the event about new defaults`() async throws {
        let lab = try await TestHub()
        let ops = TestHub.name("ops")
        _ = try await lab.publish("first")
        lab.store.shut()
        let blocked = Task { try await lab.publish("blocked") }
        await lab.store.arrival()
        await lab.hub.defaults.replaceFile(with: try SettingsDefaults(json: ["placement": "bottom"]))
        let settings = try ["pale", "retro"].map { try Settings(json: ["style": .string($0)]) }
        try await lab.hub.perform(on: ops) { channel throws(ChannelError) in
            // More events than are stored without a snapshot; they wait for the append that is blocked.
            for number in 0..<300 { try? await channel.apply(.configure(settings[number % 2])) }
            await channel.applyDefaults()
        }
        lab.store.open()
        _ = try await blocked.value
        try await lab.hub.perform(on: ops) { channel throws(ChannelError) in try await channel.awaitStorage() }
        let stored = try await lab.store.load(ops)
        #expect(stored.snapshot == nil)

        _ = try await lab.publish("later")
        let events = try await lab.store.events(of: ops, after: stored.last, limit: 9).events
        let types = events.map { event in event.layout.flatMap { event.type($0) } }
        #expect(types == [.configured, .enqueued])
        #expect(try await lab.store.load(ops).snapshot != nil)
    }
}
