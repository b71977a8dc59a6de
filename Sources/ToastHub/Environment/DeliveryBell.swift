/// Tells the dispatcher that deliveries were stored.
///
/// Rings that the dispatcher has not received yet are merged into one.
final class DeliveryBell: Sendable {
    /// The rings, for a single consumer.
    let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (self.rings, self.continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func ring() { self.continuation.yield() }
}
