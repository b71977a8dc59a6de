import Synchronization

/// The webhooks that were added or changed since the dispatcher last asked, so that it forgets their failures.
final class ChangedWebhooks: Sendable {
    private let webhooks = Mutex<Set<Receiver>>([])

    /// The maximum number that is remembered; the failures of further ones are not forgotten.
    private static let limit = 4096

    func note(_ webhook: Receiver) {
        self.webhooks.withLock { if $0.count < Self.limit { $0.insert(webhook) } }
    }

    func take() -> Set<Receiver> {
        self.webhooks.withLock { webhooks in
            defer { webhooks = [] }
            return webhooks
        }
    }
}
