import TestSupport
import Testing
import ToastCore

@testable import ToastHub

/// Two hubs on one store: each detects the appends of the other when it appends.
@Suite struct ConflictTests {
    @Test(arguments: [false, true])
    func aRequestIsDecidedAgainAfterAnAppendOfTheOtherHub(isImmediate: Bool) async throws {
        let lab = try await TestHub(hasImmediateStore: isImmediate)
        let other = Hub(loops: lab.loops, store: lab.store, clock: lab.hub.clock)
        _ = try await lab.publish("one")
        let draft = try ToastDraft(message: "two")
        _ = try await other.perform(.publish(PublishRequest([draft])), on: TestHub.name("ops"))
        // The first hub does not know of this toast.
        let publication = try #require(try await lab.publish("three").publication)
        #expect(publication.isNew)
        let listing = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.toasts(in: .queued)
        }
        #expect(listing.toasts.map(\.message?.text) == ["one", "two", "three"])
    }

    @Test func ofTwoRequestsWithOneKeyTheSecondIsARepetition() async throws {
        let lab = try await TestHub()
        let other = Hub(loops: lab.loops, store: lab.store, clock: lab.hub.clock)
        _ = try await other.perform(.read(.summary), on: TestHub.name("ops"))
        _ = try await lab.publish("once", key: "k")
        let key = IdempotentRequest(key: IdempotencyKey("k", of: "alice"), fingerprint: Array("once".utf8))
        let request = PublishRequest([try ToastDraft(message: "once")], key: key)
        guard case .repeated = try await other.perform(.publish(request), on: TestHub.name("ops")) else {
            return #expect(Bool(false), "The toast was published twice.")
        }
        // The acknowledged toasts are listed.
        let listing = try await other.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.toasts(in: .queued)
        }
        #expect(listing.toasts.map(\.message?.text) == ["once"])
    }

    @Test func webhooksAreDecidedAgainAfterAChangeOfTheOtherHub() async throws {
        let lab = try await TestHub()
        let other = Hub(loops: lab.loops, store: lab.store, clock: lab.hub.clock)
        func configure(_ hub: Hub, _ path: String) async throws -> Configuration {
            let list = try WebhookList(json: [["url": .string("https://example.org/\(path)")]])
            return try await hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
                try await channel.configure(webhooks: list)
            }
        }
        _ = try await configure(lab.hub, "a")
        let secret = try await configure(other, "b").webhooks.first?.secret
        // The first hub does not know of this webhook, whose secret stays.
        let last = try await configure(lab.hub, "b")
        #expect(last.webhooks.map(\.secret) == [secret])
        #expect(try await lab.store.load(TestHub.name("ops")).webhooks == last.webhooks)
    }

    @Test func aRequestFailsAfterTooManyConflicts() async throws {
        let lab = try await TestHub()
        let conflict = StoreError.conflict(current: Offset(rawValue: 7))
        lab.store.fail(with: conflict)
        await #expect(throws: ChannelError.store(conflict)) { try await lab.publish("never") }
        lab.store.fail(with: nil)
        _ = try await lab.publish("now")
        #expect(try await lab.summary().queued == 1)
    }
}
