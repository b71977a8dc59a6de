import Synchronization
import Testing
import ToastCore
import ToastStore

@testable import ToastHub

/// What publishers and viewers see of a store that loses its answers.
@Suite struct LostAnswerTests {
    private let store = LossyStore(MemoryStore())

    @Test(arguments: [LossyStore.Fate.lostAnswer, .lostChange])
    func aPublisherWhoseAnswerIsLostRepeatsUnderTheSameKey(fate: LossyStore.Fate) async throws {
        let lab = try await Lab(wrapping: self.store)
        let listener = try await lab.listen()
        _ = try await lab.publish("first", key: "a")
        self.store.meet([fate])
        do {
            _ = try await lab.publish("second", key: "b")
            Issue.record("A lost answer is none.")
        } catch ChannelError.unavailable(.undecided) {}
        switch try await lab.publish("second", key: "b") {
        case .accepted: if case .lostAnswer = fate { Issue.record("It was written, and is done twice.") }
        case .repeated: if case .lostChange = fate { Issue.record("It was never written.") }
        }
        _ = try await lab.publish("third", key: "c")
        // Viewers have each event once, in order, whether or not the store's answer came.
        let events = await listener.next(5)
        #expect(events.compactMap { $0.data["toast"]?["message"]?.string } == ["first", "first", "second", "third"])
        #expect(try await lab.store.load(Lab.name("ops")).last == Offset(rawValue: 4))
    }

    @Test func whatAnotherProcessAppendedFirstIsAConflictAndChangesNothing() async throws {
        let lab = try await Lab(wrapping: self.store)
        _ = try await lab.publish("first")
        let name = Lab.name("ops")
        var other = try await Engine(channel: name, epoch: lab.store.epoch, lab.store.load(name))
        let events = try other.apply(.clear, at: other.lastInstant)
        let told = Mutex<[Offset]>([])
        self.store.onAppendByOthers { _, offset in told.withLock { $0.append(offset) } }
        self.store.meet([.overtaken(by: Append(channel: name, expected: .origin.next, events: .unwritten(events)))])
        await #expect(throws: ChannelError.unavailable(.conflict(current: Offset(rawValue: 2)))) {
            try await lab.publish("second")
        }
        #expect(told.withLock(\.self) == [Offset(rawValue: 2)])
        // The channel is read again, and goes on from there.
        _ = try await lab.publish("third")
        #expect(try await lab.summary().queued == 1)
        #expect(try await lab.store.load(name).last == Offset(rawValue: 3))
    }
}
