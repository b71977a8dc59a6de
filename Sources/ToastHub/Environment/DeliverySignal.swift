import Synchronization
import ToastCore

/// Tells the dispatcher that deliveries were stored, or that webhooks were changed.
///
/// Signals that the dispatcher has not received yet are merged into one.
final class DeliverySignal: Sendable {
    /// The signals, for a single consumer.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    /// The channels whose webhooks were changed.
    private let changed = Mutex<Set<ChannelName>>([])

    init() {
        (self.signals, self.continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func send() { self.continuation.yield() }

    /// Tells that the webhooks of a channel were changed.
    func send(changeOf channel: ChannelName) {
        self.changed.withLock { _ = $0.insert(channel) }
        self.send()
    }

    /// The channels whose webhooks were changed since the last call.
    func takeChanged() -> Set<ChannelName> {
        self.changed.withLock { changed in
            defer { changed = [] }
            return changed
        }
    }
}
