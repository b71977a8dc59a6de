/// Tells the dispatcher that deliveries were stored.
///
/// Signals that the dispatcher has not received yet are merged into one.
final class DeliverySignal: Sendable {
    /// The signals, for a single consumer.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (self.signals, self.continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func send() { self.continuation.yield() }
}
