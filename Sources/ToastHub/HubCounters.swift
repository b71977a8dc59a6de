import Synchronization
public import ToastCore

/// What happened since the start, counted over all channels.
public final class HubCounters: Sendable {
    /// What became of deliveries to webhooks.
    public let webhooks = WebhookCounters()

    private let eventCounts = Mutex<[EventType: Int]>([:])
    private let dismissalCounts = Mutex<[DismissReason: Int]>([:])

    /// Stored events by type, in the order of the types.
    public var events: [(EventType, Int)] {
        let counts = self.eventCounts.withLock { $0 }
        return EventType.allCases.compactMap { type in counts[type].map { (type, $0) } }
    }

    /// Dismissed toasts by reason, in the order of the reasons.
    public var dismissals: [(DismissReason, Int)] {
        let counts = self.dismissalCounts.withLock { $0 }
        return DismissReason.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }
    }

    func count(_ events: [Event]) {
        self.eventCounts.withLock { counts in
            for event in events { counts[event.type, default: 0] += 1 }
        }
        for event in events {
            guard case .dismissed(_, let reason, _, _, _) = event.kind else { continue }
            self.dismissalCounts.withLock { $0[reason, default: 0] += 1 }
        }
    }
}
