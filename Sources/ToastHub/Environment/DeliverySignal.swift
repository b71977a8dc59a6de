import Synchronization

/// Tells the dispatcher that deliveries were stored, and which webhooks were changed.
///
/// Signals that the dispatcher has not received yet are merged into one.
final class DeliverySignal: Sendable {
    /// The signals, for a single consumer.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    /// The webhooks that were added or changed.
    private let changed = Mutex<Set<Receiver>>([])

    /// The most of them that are remembered; beyond it, the others rest for as long as before.
    private static let limit = 4096

    init() {
        (self.signals, self.continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func send() { self.continuation.yield() }

    /// Tells that a webhook was added or changed.
    func note(changeOf webhook: Receiver) {
        self.changed.withLock { if $0.count < Self.limit { $0.insert(webhook) } }
    }

    /// The webhooks that were added or changed since the last call.
    func takeChanged() -> Set<Receiver> {
        self.changed.withLock { changed in
            defer { changed = [] }
            return changed
        }
    }
}
