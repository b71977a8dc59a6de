import Synchronization
import Testing

@testable import EventLoop

@Suite struct TaskLockTests {
    @Test(.timeLimit(.minutes(1)), arguments: [1, 3])
    func noMoreTasksThanItsLimitHoldIt(limit: Int) async {
        let lock = TaskLock(atOnce: limit)
        let holders = Holders()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await lock.lock()
                    #expect(holders.count.add(1, ordering: .sequentiallyConsistent).newValue <= limit)
                    await Task.yield()
                    holders.count.subtract(1, ordering: .sequentiallyConsistent)
                    lock.unlock()
                }
            }
        }
        // All tasks have released the lock: it can be taken `limit` times without waiting.
        for _ in 0..<limit { await lock.lock() }
    }
}

/// How many tasks hold the lock.
private final class Holders: Sendable {
    let count = Atomic<Int>(0)
}
