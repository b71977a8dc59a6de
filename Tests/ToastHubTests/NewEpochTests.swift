import TestSupport
import Testing
import ToastCore

@testable import ToastHub

@Suite struct NewEpochTests {
    @Test func aCursorOfAnotherEpochOrFromTheFutureIsReset() async throws {
        let lab = try await TestHub()
        _ = try await lab.publish("one")
        for cursor in ["00000000-1", "\(lab.hub.epoch.rawValue)-99"] {
            let first = await (try lab.listen(since: cursor)).next(1).first
            #expect(first?.type == "snapshot")
            #expect(first?.data["reset"] == true)
        }
    }

    @Test func aChannelThatHasNotBegunAgainInANewEpochIsReset() async throws {
        let lab = try await TestHub()
        let names = ["ops", "dev"]
        for name in names { _ = try await lab.publish("one", to: name) }
        let cursor = "00000000-dev.1~ops.1"
        let first = try await lab.listen(to: names, since: cursor, isComposite: true, isAudience: false)
        // The connection breaks after its first event.
        let reached = try #require(await first.next(1).first?.id)
        let second = try await lab.listen(to: names, since: reached, isComposite: true, isAudience: false)
        let events = await second.next(2)
        #expect(events.map(\.type).sorted() == ["resumed", "snapshot"])
        #expect(events.first { $0.type == "snapshot" }?.data["reset"] == true)
    }

    @Test func aChannelThatIsNewToTheClientIsNotReset() async throws {
        let lab = try await TestHub()
        let names = ["ops", "dev"]
        for name in names { _ = try await lab.publish("one", to: name) }
        let first = try await lab.listen(to: names, since: "00000000-ops.1", isComposite: true, isAudience: false)
        let reached = try #require(await first.next(1).first)
        let second = try await lab.listen(to: names, since: reached.id, isComposite: true, isAudience: false)
        for event in await first.next(1) + second.next(2) where event.data["channel"] == "dev" {
            #expect(event.data["reset"] != true)
        }
        #expect(reached.data["channel"] == "ops")
    }
}
