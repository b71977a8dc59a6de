import Synchronization

/// Counters of deliveries since the start.
package final class WebhookCounters: Sendable {
    private let deliveredCount = Atomic<Int>(0)
    private let failedCount = Atomic<Int>(0)
    private let givenUpCount = Atomic<Int>(0)

    /// Deliveries that their receivers accepted.
    package var delivered: Int { self.deliveredCount.load(ordering: .relaxed) }

    /// Failed attempts; one delivery may fail many times.
    package var failedTries: Int { self.failedCount.load(ordering: .relaxed) }

    /// Deliveries that were given up, without those that exceeded the outbox's limit.
    package var givenUp: Int { self.givenUpCount.load(ordering: .relaxed) }

    func countDelivered() { self.deliveredCount.add(1, ordering: .relaxed) }

    func countFailed() { self.failedCount.add(1, ordering: .relaxed) }

    func countGivenUp(_ count: Int = 1) { self.givenUpCount.add(count, ordering: .relaxed) }
}
