import DequeModule
import ToastCore

/// The recent publishes whose toast ids came with the request, as in requests from other nodes.
///
/// A node repeats such a request when the answer is lost. The engine recognises the ids of toasts that it still has,
/// but not of toasts that updated an equal one, or that it has forgotten. This list is in memory only. The next owner
/// of a channel finds the new toasts of the last seconds in the log, behind the last snapshot, but not which publish
/// updated an equal one: if an owner ends after storing and before answering, the next one may update that toast a
/// second time.
struct RecentPublishes: Sendable {
    /// A publish, named by the id of its first toast, and the channel's last event when it was decided.
    private struct Entry {
        let id: ToastID
        let offset: Offset
        let at: Instant
    }

    /// Longer than a node repeats a request.
    private static let age = Interval(seconds: 15)

    /// The most entries; beyond that the oldest is forgotten.
    private static let limit = 4096

    /// What became of a publish of one toast.
    struct Outcome: Sendable {
        /// The toast: a new one, or a living one that the publish updated.
        let toast: ToastID
        let isNew: Bool
    }

    private var entries: Deque<Entry> = []
    private var outcomes: [ToastID: Outcome?] = [:]

    /// Whether a publish was carried out.
    func contains(_ id: ToastID) -> Bool { self.outcomes[id] != nil }

    /// What became of a publish; `nil` when it is not known, or was of several toasts.
    func outcome(of id: ToastID) -> Outcome? { self.outcomes[id] ?? nil }

    /// Notes a publish that was decided.
    mutating func note(_ id: ToastID, as outcome: Outcome? = nil, at offset: Offset, _ now: Instant) {
        while let oldest = self.entries.first, self.outcomes.count >= Self.limit || now - oldest.at > Self.age {
            self.outcomes[oldest.id] = nil
            self.entries.removeFirst()
        }
        guard self.outcomes.updateValue(outcome, forKey: id) == nil else { return }
        self.entries.append(Entry(id: id, offset: offset, at: now))
    }

    /// Notes the toasts that were published in the last seconds by the events of the log, oldest first.
    mutating func note(_ stored: [StoredEvent], _ now: Instant) {
        for event in stored.drop(while: { now - $0.at > Self.age }) {
            guard case .enqueued(let toast)? = (try? Event(envelope: event.envelope))?.kind, !self.contains(toast.id)
            else { continue }
            // Without an outcome, because the toast may be one of several.
            self.note(toast.id, at: event.offset, event.at)
        }
    }

    /// Forgets what was decided but not stored.
    mutating func forget(after offset: Offset) {
        while let last = self.entries.last, last.offset > offset {
            self.outcomes[last.id] = nil
            self.entries.removeLast()
        }
    }
}
