import Testing
import ToastCore

@testable import ToastHub

@Suite struct LogPositionTests {
    private var log = LogPosition(nil)

    private func offset(_ number: Int64) -> Offset { Offset(rawValue: number) }

    @Test mutating func aStreamThatMissedNothingIsLiveAtOnce() {
        self.log.begin(at: self.offset(5), stored: self.offset(5))
        #expect(self.log.need == .nothing)
        self.log.goLiveIfComplete()
        #expect(self.log.isLive)
        let first = self.log.receive(self.offset(6), through: self.offset(7))
        #expect(first == .next)
    }

    @Test mutating func aStreamReadsUntilItHasAllStoredEvents() {
        self.log.begin(at: self.offset(2), stored: self.offset(9), owesHead: true)
        #expect(self.log.need == .page(after: self.offset(2)))
        #expect(self.log.owesHead)
        self.log.advance(to: self.offset(6))
        #expect(!self.log.owesHead)
        self.log.goLiveIfComplete()
        #expect(!self.log.isLive)
        #expect(self.log.need == .page(after: self.offset(6)))
        self.log.advance(to: self.offset(9))
        self.log.goLiveIfComplete()
        #expect(self.log.isLive)
    }

    @Test mutating func eventsStoredMeanwhileAreReadToo() {
        self.log.begin(at: self.offset(2), stored: self.offset(4))
        let first = self.log.receive(self.offset(5), through: self.offset(8))
        #expect(first == .missed)
        self.log.advance(to: self.offset(4))
        #expect(self.log.need == .page(after: self.offset(4)))
        self.log.advance(to: self.offset(8))
        self.log.goLiveIfComplete()
        let then = self.log.receive(self.offset(9), through: self.offset(9))
        #expect(then == .next)
    }

    @Test mutating func eventsBeforeTheOpeningAreRead() {
        let first = self.log.receive(self.offset(3), through: self.offset(6))
        #expect(first == .missed)
        #expect(self.log.need == .nothing)
        self.log.begin(at: self.offset(4), stored: self.offset(4))
        #expect(self.log.need == .page(after: self.offset(4)))
    }

    @Test mutating func aPageMayContainEventsThatFollowAsLiveOnes() {
        self.log.begin(at: self.offset(1), stored: self.offset(2))
        self.log.advance(to: self.offset(5))
        self.log.goLiveIfComplete()
        let first = self.log.receive(self.offset(4), through: self.offset(5))
        #expect(first == .known)
        let then = self.log.receive(self.offset(5), through: self.offset(6))
        #expect(then == .partlyKnown)
    }

    @Test mutating func aGapIsReadFromTheLog() {
        self.log.begin(at: self.offset(1), stored: self.offset(1))
        self.log.goLiveIfComplete()
        let first = self.log.receive(self.offset(3), through: self.offset(3))
        #expect(first == .missed)
        #expect(self.log.isBehind)
        #expect(self.log.need == .page(after: self.offset(1)))
    }

    @Test mutating func aPrunedHistoryNeedsASnapshotAndTheEventsAfterIt() {
        self.log.begin(at: self.offset(1), stored: self.offset(90), owesHead: true)
        self.log.lose(isReset: true)
        #expect(self.log.need == .snapshot(isReset: true))
        let first = self.log.receive(self.offset(91), through: self.offset(95))
        #expect(first == .missed)
        self.log.begin(at: self.offset(93), stored: self.offset(93))
        #expect(self.log.need == .page(after: self.offset(93)))
        #expect(!self.log.owesHead)
    }

    @Test mutating func aPageIsReadWhileTheResumedFrameIsOwed() {
        self.log.begin(at: self.offset(4), stored: self.offset(4), owesHead: true)
        #expect(self.log.need == .page(after: self.offset(4)))
    }

    @Test mutating func aStreamThatWaitsForFutureEventsSkipsTheOthers() {
        _ = self.log.receive(self.offset(8), through: self.offset(9))
        self.log.begin(at: self.offset(7), stored: self.offset(7))
        self.log.skipToEnd()
        #expect(self.log.isLive)
        let first = self.log.receive(self.offset(10), through: self.offset(10))
        #expect(first == .next)
    }
}

@Suite struct LogReadsTests {
    private var reads = LogReads()

    private func stream(_ slot: Int) -> StreamID { StreamID(slot: slot, serial: 1) }

    private func page(_ offset: Int64) -> LogPart { .page(TestHub.name("ops"), after: Offset(rawValue: offset)) }

    @Test mutating func streamsThatNeedTheSamePartShareARead() {
        for slot in 0..<3 { self.reads.want(self.page(1), for: self.stream(slot)) }
        let first = self.reads.begin()
        #expect(first == self.page(1))
        self.reads.want(self.page(1), for: self.stream(3))
        let second = self.reads.begin()
        #expect(second == nil)
        let then = self.reads.finish(self.page(1))
        #expect(then == (0...3).map(self.stream))
        self.reads.want(self.page(1), for: self.stream(4))
        let last = self.reads.begin()
        #expect(last == self.page(1))
    }

    @Test mutating func fewPartsAreReadAtATimeOldestFirst() {
        for slot in 0..<100 { self.reads.want(self.page(Int64(slot)), for: self.stream(slot)) }
        let begun = (0..<20).compactMap { _ in self.reads.begin() }
        #expect(begun == (0..<Int64(LogReads.limit)).map(self.page))
        var order: [LogPart] = begun
        while let part = order.first, order.count < 200 {
            order.removeFirst()
            let waiting = self.reads.finish(part)
            #expect(waiting.count == 1)
            if let next = self.reads.begin() { order.append(next) }
        }
        #expect(order.isEmpty)
    }

    @Test mutating func aPostponedStreamIsTakenOnce() {
        for slot in 0..<LogReads.limit + 2 { self.reads.want(self.page(Int64(slot)), for: self.stream(slot)) }
        for _ in 0..<LogReads.limit { _ = self.reads.begin() }
        #expect(self.reads.waiting(for: self.page(0)) == [self.stream(0)])
        let left = self.reads.finish(self.page(0))
        #expect(left == [self.stream(0)])
        #expect(self.reads.waiting(for: self.page(0)).isEmpty)
        for stream in left { self.reads.postpone(stream) }
        let first = self.reads.takePostponed()
        #expect(first == left)
        let none = self.reads.takePostponed()
        #expect(none.isEmpty)
        // The next part takes its place.
        let next = self.reads.begin()
        #expect(next == self.page(Int64(LogReads.limit)))
    }
}
