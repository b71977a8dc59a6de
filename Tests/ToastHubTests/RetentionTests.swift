import TestSupport
import Testing
import ToastCore

@testable import ToastHub

@Suite struct RetentionTests {
    private let future = Instant(nanoseconds: .max)

    private func names(_ lab: TestHub) async throws -> [String] {
        try await lab.store.channels(after: nil, limit: 99).map(\.rawValue)
    }

    private func clear(_ lab: TestHub, _ channel: String) async throws {
        _ = try await lab.hub.perform(on: TestHub.name(channel)) { channel throws(ChannelError) in
            try await channel.clear()
        }
    }

    @Test func aChannelWithoutContentIsForgotten() async throws {
        let lab = try await TestHub()
        for channel in ["empty", "full", "set", "keyed"] {
            _ = try await lab.publish("x", to: channel, key: channel == "keyed" ? "k" : nil)
            if channel != "full" { try await self.clear(lab, channel) }
        }
        _ = try await lab.hub.perform(on: TestHub.name("set")) { channel throws(ChannelError) in
            try await channel.configure(.merge(["mode": "stack"]))
        }
        let place = try await lab.hub.forgetVacantChannels(after: nil, quietSince: Instant(nanoseconds: 0))
        #expect(place == nil)
        #expect(try await self.names(lab).count == 4)
        _ = try await lab.hub.forgetVacantChannels(after: nil, quietSince: self.future)
        #expect(try await self.names(lab) == ["full", "keyed", "set"])
    }

    @Test func listenersOfAForgottenChannelStayAndEarlierCursorsAreReset() async throws {
        let lab = try await TestHub()
        _ = try await lab.publish("x")
        let old = try await lab.summary().cursor.description
        try await self.clear(lab, "ops")
        let last = try await lab.summary().cursor.description
        let listener = try await lab.listen()
        #expect(await listener.next(1).map(\.type) == ["snapshot"])
        _ = try await lab.hub.forgetVacantChannels(after: nil, quietSince: self.future)
        #expect(try await self.names(lab) == [])

        _ = try await lab.publish("again")
        #expect(await listener.next(2).map(\.type) == ["enqueued", "presented"])
        // A cursor at the channel's end missed nothing; an earlier one is reset.
        let resumed = try await lab.listen(since: last)
        #expect(await resumed.next(3).map(\.type) == ["resumed", "enqueued", "presented"])
        let reset = try await lab.listen(since: old).next(1)
        #expect(reset.map(\.type) == ["snapshot"])
        #expect(reset.first?.data["reset"]?.bool == true)

        // Another hub on the same store, as after a restart.
        let hub = Hub(loops: lab.loops, store: lab.store, clock: lab.hub.clock)
        let after = try await hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.summary()
        }
        #expect(after.cursor == (try await lab.summary().cursor))
    }

    @Test func aNewChannelBeginsAfterAllForgottenChannels() async throws {
        let lab = try await TestHub()
        for _ in 0..<3 { _ = try await lab.publish("x") }
        try await self.clear(lab, "ops")
        let last = try #require(try await lab.summary().cursor.offset(in: TestHub.name("ops")))
        _ = try await lab.hub.forgetVacantChannels(after: nil, quietSince: self.future)
        _ = try await lab.publish("first", to: "other")
        let events = try await lab.store.events(of: TestHub.name("other"), after: last, limit: 9)
        #expect(events.events.map(\.offset) == [last.next])
        #expect(!events.isCut)
    }

    @Test func overdueToastsEndAndTheirChannelIsForgottenLater() async throws {
        let lab = try await TestHub()
        let draft = try ToastDraft(json: ["message": "x", "expiresAfter": 0.001])
        _ = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.publish([draft])
        }
        // Another hub, which has no timer for the channel.
        let hub = Hub(loops: lab.loops, store: lab.store, clock: lab.hub.clock)
        var rounds = 0
        while try await !self.names(lab).isEmpty, rounds < 1000 {
            _ = try await hub.forgetVacantChannels(after: nil, quietSince: self.future)
            rounds += 1
        }
        #expect(try await self.names(lab) == [])
    }

    @Test func aChannelAboveTheLimitIsRefusedAndTheOthersStillWork() async throws {
        let lab = try await TestHub()
        lab.store.limitChannels(to: 1)
        _ = try await lab.publish("x")
        await #expect(throws: ChannelError.store(.tooManyChannels)) { try await lab.publish("y", to: "other") }
        // Reading a channel and listening to it count towards no limit.
        #expect(try await lab.summary(of: "other").queued == 0)
        let listener = try await lab.listen(to: ["other"])
        #expect(await listener.next(1).map(\.type) == ["snapshot"])
        await #expect(throws: ChannelError.store(.tooManyChannels)) { try await lab.publish("y", to: "other") }
        _ = try await lab.publish("x")
        lab.store.limitChannels(to: 2)
        _ = try await lab.publish("y", to: "other")
        #expect(await listener.next(2).map(\.type) == ["enqueued", "presented"])
    }
}
