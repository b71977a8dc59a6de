import Testing
import ToastAccess

@testable import ToastCore
@testable import ToastHub

@Suite struct CommitQueueTests {
    private static let record = IdempotencyRecord(
        key: IdempotencyKey("k", of: "a"),
        fingerprint: [],
        at: Instant(nanoseconds: 0),
        response: []
    )

    @Test func aCommitTakesEverythingThatIsPending() {
        var queue = CommitQueue()
        let isEarly = queue.begin()
        queue.add(Self.record, displacing: "b")
        let (first, second) = (queue.begin(), queue.begin())
        #expect([isEarly, first, second] == [false, true, false])
        let batch = queue.takePending()
        #expect(batch.records.count == 1)
        #expect(batch.displaced == ["b"])
        #expect(!queue.hasPending)
        #expect(!queue.isEmpty)
        queue.end()
        #expect(queue.isEmpty)
    }

    @Test func aRecordWithoutEventsIsAGoalOfItsOwn() {
        var queue = CommitQueue()
        queue.add(Self.record, displacing: nil)
        let goal = queue.goal(through: .origin)
        #expect(!queue.isReached(goal))
        _ = queue.takePending()
        queue.finish(through: nil, records: 1)
        #expect(queue.isReached(goal))
    }

    @Test func whatWasDecidedBeforeAFailureIsNeverStored() async {
        var queue = CommitQueue()
        queue.add(Self.record, displacing: nil)
        let waiter = queue.wait(for: queue.goal(through: .origin))
        queue.fail(.unavailable("full"))
        // The record of another request does not make up for it.
        queue.add(Self.record, displacing: nil)
        let next = queue.wait(for: queue.goal(through: .origin))
        _ = queue.takePending()
        queue.finish(through: nil, records: 1)
        #expect(await Self.end(of: waiter) == .unavailable("full"))
        #expect(await Self.end(of: next) == nil)
    }

    @Test func aWaiterEndsWithItsGoalOrWithAFailure() async {
        var queue = CommitQueue()
        let stored = queue.wait(for: queue.goal(through: Offset(rawValue: 1)))
        queue.add(Self.record, displacing: nil)
        let failed = queue.wait(for: queue.goal(through: Offset(rawValue: 1)))
        queue.finish(through: Offset(rawValue: 1), records: 0)
        #expect(queue.committed == Offset(rawValue: 1))
        #expect(queue.waiters.count == 1)
        queue.fail(.unavailable("full"))
        #expect(queue.waiters.isEmpty)
        // The first waiter's events are committed, so the later failure is not its own.
        #expect(await Self.end(of: stored) == nil)
        #expect(await Self.end(of: failed) == .unavailable("full"))
    }

    private static func end(of waiter: CommitWaiter) async -> StoreError? {
        await withCheckedContinuation { waiter.wait($0) }
    }
}
