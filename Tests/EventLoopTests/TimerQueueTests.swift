import Testing

@testable import EventLoop

@Suite struct TimerQueueTests {
    private var queue = TimerQueue<Int>()

    @Test mutating func entriesComeOutInTheOrderOfTheirDeadlines() {
        for deadline in [5, 1, 4, 2, 3] { _ = self.queue.arm(deadline, at: Int64(deadline)) }
        #expect(self.queue.next == 1)
        let early = self.popAll(at: 3)
        #expect(early == [1, 2, 3])
        let late = self.popAll(at: 9)
        #expect(late == [4, 5])
        #expect(self.queue.next == nil)
    }

    @Test mutating func anEntryMovesBothWays() {
        let key = self.queue.arm(0, at: 50)
        for deadline in 1...9 { _ = self.queue.arm(deadline, at: Int64(deadline * 10)) }
        let isMovedUp = self.queue.rearm(key, at: 5)
        #expect(isMovedUp)
        #expect(self.queue.next == 5)
        let isMovedDown = self.queue.rearm(key, at: 95)
        #expect(isMovedDown)
        let all = self.popAll(at: 100)
        #expect(all == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
    }

    @Test mutating func aKeyFitsItsOwnEntryOnly() {
        let old = self.queue.arm(1, at: 1)
        self.queue.cancel(old)
        _ = self.queue.arm(2, at: 2)
        self.queue.cancel(old)
        let isMoved = self.queue.rearm(old, at: 0)
        #expect(!isMoved)
        let left = self.popAll(at: 5)
        #expect(left == [2])
    }

    @Test(arguments: 0..<20) mutating func agreesWithASortedList(seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        var model: [(key: TimerQueue<Int>.Key, deadline: Int64, payload: Int)] = []
        for step in 0..<2000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let deadline = Int64.random(in: 0..<1000, using: &random)
                model.append((self.queue.arm(step, at: deadline), deadline, step))
            case 2 where !model.isEmpty:
                let index = Int.random(in: model.indices, using: &random)
                model[index].deadline = Int64.random(in: 0..<1000, using: &random)
                let isMoved = self.queue.rearm(model[index].key, at: model[index].deadline)
                #expect(isMoved)
            case 3 where !model.isEmpty:
                self.queue.cancel(model.remove(at: Int.random(in: model.indices, using: &random)).key)
            default:
                break
            }
            #expect(self.queue.next == model.map(\.deadline).min())
        }
        let rest = self.popAll(at: 1000)
        #expect(Set(rest) == Set(model.map(\.payload)))
    }

    @Test mutating func holdsAHundredThousandEntries() {
        let keys = (0..<100_000).map { self.queue.arm($0, at: Int64($0 * 7919 % 100_003)) }
        for (index, key) in keys.enumerated() { _ = self.queue.rearm(key, at: Int64(index * 104_729 % 100_003)) }
        var (last, count): (Int64, Int) = (-1, 0)
        while let next = self.queue.next {
            #expect(next >= last)
            last = next
            if self.queue.popDue(at: next) != nil { count += 1 }
        }
        #expect(count == 100_000)
    }

    private mutating func popAll(at now: Int64) -> [Int] {
        var payloads: [Int] = []
        while let payload = self.queue.popDue(at: now) { payloads.append(payload) }
        return payloads
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var value = self.state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
