/// Wakes the dispatcher: deliveries were stored or have become due, one has ended, or it has to stop.
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
