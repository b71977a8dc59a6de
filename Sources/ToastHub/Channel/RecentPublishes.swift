import ToastCore

/// The publishes of the last seconds whose toasts had ids before they arrived, as those of other nodes have.
///
/// Such a request is sent again when its answer is lost. The engine knows the toasts that it has enqueued, but not the
/// ids of those that updated an equal one instead, nor those that it has forgotten since. This memory ends with the
/// owner: when it is lost between the storing and the answer, the next owner may update an equal toast once more.
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

    private var entries: [Entry] = []
    private var start = 0
    private var ids: Set<ToastID> = []

    /// Whether a publish was carried out.
    func contains(_ id: ToastID) -> Bool { self.ids.contains(id) }

    /// Notes a publish that was decided.
    mutating func note(_ id: ToastID, at offset: Offset, _ now: Instant) {
        while self.start < self.entries.count {
            let oldest = self.entries[self.start]
            guard self.ids.count >= Self.limit || now - oldest.at > Self.age else { break }
            self.ids.remove(oldest.id)
            self.start += 1
        }
        if self.start * 2 > self.entries.count {
            self.entries.removeFirst(self.start)
            self.start = 0
        }
        guard self.ids.insert(id).inserted else { return }
        self.entries.append(Entry(id: id, offset: offset, at: now))
    }

    /// Forgets what was decided but not stored.
    mutating func forget(after offset: Offset) {
        while let last = self.entries.last, self.entries.count > self.start, last.offset > offset {
            self.ids.remove(last.id)
            self.entries.removeLast()
        }
    }
}
