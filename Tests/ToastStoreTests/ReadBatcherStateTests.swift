import Testing

@testable import ToastStore

@Suite struct ReadBatcherStateTests {
    private var room = ReadBatcherState<Int>(readers: 2)

    @Test mutating func `what comes before the reader is for it, and calls no other`() {
        let calls = [self.room.add(1), self.room.add(2)]
        self.room.enter()
        let work = self.room.take()
        let rest = self.room.take()
        #expect(calls == [true, false])
        #expect(work?.letters == [1, 2])
        #expect(work?.callsAnother == false)
        #expect(rest == nil)
    }

    @Test mutating func `who comes while readers are at work calls another, as long as there is one`() {
        _ = self.room.add(1)
        self.room.enter()
        _ = self.room.take()
        let second = self.room.add(2)
        self.room.enter()
        _ = self.room.take()
        let third = self.room.add(3)
        // Whoever has done its work first does what waits.
        let work = self.room.take()
        let rests = [self.room.take(), self.room.take()]
        let fourth = self.room.add(4)
        #expect(second)
        #expect(!third)
        #expect(work?.letters == [3])
        #expect(rests.allSatisfy { $0 == nil })
        #expect(fourth)
    }

    @Test mutating func `one who was called in vain goes, and the next is called`() {
        _ = self.room.add(1)
        self.room.enter()
        _ = self.room.take()
        let second = self.room.add(2)
        let work = self.room.take()
        _ = self.room.take()
        self.room.enter()
        let nothing = self.room.take()
        let third = self.room.add(3)
        #expect(second && third)
        #expect(work?.letters == [2])
        #expect(nothing == nil)
    }

    @Test mutating func `what is too much for one reader is left to another`() {
        let share = ReadBatcherState<Int>.share
        for number in 0...share { _ = self.room.add(number) }
        self.room.enter()
        let first = self.room.take()
        self.room.enter()
        let second = self.room.take()
        #expect(first?.letters == Array(0..<share))
        #expect(first?.callsAnother == true)
        #expect(second?.letters == [share])
        #expect(second?.callsAnother == false)
    }
}
