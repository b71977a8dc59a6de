import Synchronization

/// What became of deliveries since the start.
public final class WebhookCounters: Sendable {
    private let deliveredCount = Atomic<Int>(0)
    private let failedCount = Atomic<Int>(0)
    private let givenUpCount = Atomic<Int>(0)

    /// Deliveries that their receivers took.
    public var delivered: Int { self.deliveredCount.load(ordering: .relaxed) }

    /// Tries that failed; one delivery may fail many times.
    public var failedTries: Int { self.failedCount.load(ordering: .relaxed) }

    /// Deliveries that are not tried any more, without those that were too many in the outbox.
    public var givenUp: Int { self.givenUpCount.load(ordering: .relaxed) }

    func countDelivered() { self.deliveredCount.add(1, ordering: .relaxed) }

    func countFailed() { self.failedCount.add(1, ordering: .relaxed) }

    func countGivenUp(_ count: Int = 1) { self.givenUpCount.add(count, ordering: .relaxed) }
}

/// Tells the dispatcher that there is something to look at; rings that it has not heard yet are one.
final class DeliveryBell: Sendable {
    /// The rings, for one listener.
    let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (self.rings, self.continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func ring() { self.continuation.yield() }
}
