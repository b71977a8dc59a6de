import TestSupport
import Testing
import ToastCore
import ToastStore

@testable import ToastHub

/// What publishers and viewers get when a store loses its answers.
@Suite struct LostAnswerTests {
    private let store = LossyStore(MemoryStore())

    @Test(arguments: [LossyStore.Fate.lostAnswer, .lostChange])
    func aPublisherWithoutAnAnswerRepeatsUnderTheSameKey(fate: LossyStore.Fate) async throws {
        let lab = try await TestHub(wrapping: self.store)
        let listener = try await lab.listen()
        _ = try await lab.publish("first", key: "a")
        self.store.meet([fate])
        do {
            _ = try await lab.publish("second", key: "b")
            Issue.record("A lost answer is none.")
        } catch ChannelError.store(.undecided) {}
        switch try await lab.publish("second", key: "b") {
        case .published: if case .lostAnswer = fate { Issue.record("It was written, and is done twice.") }
        case .repeated: if case .lostChange = fate { Issue.record("It was never written.") }
        case let answer: Issue.record("\(answer) is no answer to a publish.")
        }
        _ = try await lab.publish("third", key: "c")
        // Viewers get each event once, in order, whether or not the store's answer arrived.
        let events = await listener.next(5)
        #expect(events.compactMap { $0.data["toast"]?["message"]?.string } == ["first", "first", "second", "third"])
        #expect(try await lab.store.load(TestHub.name("ops")).last == Offset(rawValue: 4))
    }

    @Test(arguments: [LossyStore.Fate.lostAnswer, .lostChange])
    func webhooksAreReadAgainAfterALostAnswer(fate: LossyStore.Fate) async throws {
        let lab = try await TestHub(wrapping: self.store)
        let name = TestHub.name("ops")
        func configure(_ webhooks: String) async throws -> Int {
            let list = try WebhookList(json: try JSON(parsing: Array(webhooks.utf8)))
            return try await lab.hub.perform(on: name) { channel throws(ChannelError) in
                try await channel.configure(webhooks: list).webhooks.count
            }
        }
        let some = #"[{"url": "https://example.org/"}]"#
        _ = try await configure(some)
        self.store.meet([fate])
        do {
            _ = try await configure("[]")
            Issue.record("A lost answer is none.")
        } catch ChannelError.store(.undecided) {}
        let stored = try await self.store.load(name).webhooks
        guard case .configuration(let read) = try await lab.hub.perform(.read(.configuration), on: name) else {
            throw UnexpectedOutcome()
        }
        #expect(read.webhooks == stored)
        // What is answered now is stored, also if it is what the channel had before.
        #expect(try await configure(some) == 1)
        #expect(try await self.store.load(name).webhooks.count == 1)
    }

    @Test func theSameRequestCompletesAChangeOfWebhooks() async throws {
        let lab = try await TestHub(wrapping: self.store)
        func configure() async throws {
            let list = try WebhookList(json: [["url": "https://example.org/"]])
            _ = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
                try await channel.configure(webhooks: list)
            }
        }
        // The list is stored, and deliveries to former webhooks may be left: each repetition asks the store.
        for _ in 0..<2 {
            self.store.meet([.lostAnswer])
            await #expect(throws: ChannelError.store(.undecided("The answer was lost."))) { try await configure() }
        }
        try await configure()
        // Now there is nothing left to do.
        self.store.meet([.lostAnswer])
        try await configure()
    }

    @Test func aRequestIsDecidedAgainAfterAnAppendOfAnotherProcess() async throws {
        let lab = try await TestHub(wrapping: self.store)
        _ = try await lab.publish("first")
        let name = TestHub.name("ops")
        var other = try await Engine(channel: name, epoch: lab.store.epoch, lab.store.load(name))
        let events = try other.apply(.clear, at: other.lastInstant)
        self.store.meet([.overtaken(by: Append(channel: name, expected: .origin.next, events: .unwritten(events)))])
        _ = try await lab.publish("second")
        _ = try await lab.publish("third")
        #expect(try await lab.summary().queued == 2)
        #expect(try await lab.store.load(name).last == Offset(rawValue: 4))
    }
}
