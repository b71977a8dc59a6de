import Testing

@testable import ToastStore

@Suite struct MailroomTests {
    private var room = MailboxState<Int>()

    @Test mutating func `only a sleeping worker is woken, and only once`() {
        let early = self.room.send(1)
        let first = self.take()
        let none = self.take()
        let actions = [self.room.send(2), self.room.send(3)]
        let rest = self.take()
        #expect(early == .wait)
        #expect(first == [1])
        #expect(none == nil)
        #expect(actions == [.wake, .wait])
        #expect(rest == [2, 3])
    }

    @Test mutating func `a closed room refuses, delivers what waits, and ends`() {
        _ = self.room.send(1)
        let mustWake = self.room.close()
        let late = self.room.send(2)
        let rest = self.take()
        #expect(!mustWake)
        #expect(self.room.isClosed)
        #expect(late == .refuse)
        #expect(rest == [1])
        guard case .end = self.room.take() else {
            Issue.record("The worker has to end.")
            return
        }
    }

    @Test mutating func `closing wakes a sleeping worker`() {
        _ = self.take()
        let mustWake = self.room.close()
        #expect(mustWake)
    }

    @Test mutating func `a full room refuses the newest`() {
        let actions = Set((0..<MailboxState<Int>.capacity).map { self.room.send($0) })
        let late = self.room.send(-1)
        let count = self.take()?.count
        let next = self.room.send(0)
        #expect(actions == [.wait])
        #expect(late == .refuse)
        #expect(count == MailboxState<Int>.capacity)
        #expect(next == .wait)
    }

    /// What the worker takes; `nil` when it goes to sleep or ends.
    private mutating func take() -> [Int]? {
        guard case .work(let letters) = self.room.take() else { return nil }
        return letters
    }
}
