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
        let change = Self.take(&queue)
        #expect(change.records.count == 1)
        #expect(change.displaced == ["b"])
        #expect(!queue.hasPending)
        #expect(!queue.isEmpty)
        let hasNext = queue.beginNext()
        #expect(!hasNext)
        #expect(queue.isEmpty)
    }

    @Test func aCommitIsFollowedByTheNextOneUntilOneFails() {
        var queue = CommitQueue()
        queue.add(Self.record, displacing: nil)
        _ = queue.begin()
        let change = Self.take(&queue)
        queue.add(Self.record, displacing: nil)
        Self.finish(change, in: &queue)
        let hasNext = queue.beginNext()
        #expect(hasNext)
        #expect(queue.isCommitting)
        queue.fail(.unavailable("full"))
        #expect(queue.isEmpty)
    }

    @Test func aRecordWithoutEventsIsAGoalOfItsOwn() {
        var queue = CommitQueue()
        queue.add(Self.record, displacing: nil)
        let goal = queue.goal(through: .origin)
        #expect(!queue.isReached(goal))
        Self.finish(Self.take(&queue), in: &queue)
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
        Self.finish(Self.take(&queue), in: &queue)
        #expect(await Self.end(of: waiter) == .unavailable("full"))
        #expect(await Self.end(of: next) == nil)
    }

    @Test func aWaiterEndsWithItsGoalOrWithAFailure() async {
        var queue = CommitQueue()
        let stored = queue.wait(for: queue.goal(through: Offset(rawValue: 1)))
        queue.add([Event(offset: .origin.next, at: Instant(nanoseconds: 0), kind: .configured(Settings()))])
        let change = Self.take(&queue)
        queue.add(Self.record, displacing: nil)
        let failed = queue.wait(for: queue.goal(through: Offset(rawValue: 1)))
        Self.finish(change, in: &queue)
        #expect(queue.committed == Offset(rawValue: 1))
        #expect(queue.waiters.count == 1)
        queue.fail(.unavailable("full"))
        #expect(queue.waiters.isEmpty)
        // The first waiter's events are committed, so the later failure is not its own.
        #expect(await Self.end(of: stored) == nil)
        #expect(await Self.end(of: failed) == .unavailable("full"))
    }

    /// The append of everything that is pending.
    private static func take(_ queue: inout CommitQueue) -> Append {
        let batch = queue.takePending()
        let change = Append(
            channel: TestHub.name("ops"),
            expected: queue.committed,
            events: .unwritten(batch.events),
            records: batch.records,
            displaced: batch.displaced
        )
        queue.note(CommitQueue.Commit(change: change, events: batch.events, endings: []))
        return change
    }

    private static func finish(_ change: Append, in queue: inout CommitQueue) {
        let commit = queue.finish()
        #expect(commit.change === change)
    }

    private static func end(of waiter: CommitWaiter) async -> StoreError? {
        await withCheckedContinuation { waiter.wait($0) }
    }
}
