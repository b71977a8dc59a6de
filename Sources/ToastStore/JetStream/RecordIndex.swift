import ToastCore

/// Which idempotency records a channel has: what displacing one and noting an outcome need to know.
struct RecordIndex: Sendable {
    struct Entry: Hashable, Sendable {
        let header: RecordHeader
        /// Grows from each record to the next.
        let order: UInt64
    }

    /// The records by the tokens of their keys.
    private(set) var entries: [String: Entry] = [:]

    /// The toasts that have an outcome in a message of its own.
    private var ended: Set<ToastID> = []

    private var nextOrder: UInt64 = 0

    /// Adds a record, or replaces the one of its key.
    mutating func add(_ header: RecordHeader, token: String) {
        guard !header.isVoid else { return }
        self.nextOrder += 1
        self.entries[token] = Entry(header: header, order: self.nextOrder)
    }

    /// Notes that the outcome of a toast is kept.
    mutating func end(_ toast: ToastID) { self.ended.insert(toast) }

    mutating func remove(_ token: String) { self.entries[token] = nil }

    /// Removes the records that were accepted before an instant, and the outcomes of their toasts.
    mutating func expire(before instant: Instant) {
        guard self.entries.values.contains(where: { $0.header.at < instant }) else { return }
        self.entries = self.entries.filter { $0.value.header.at >= instant }
        self.ended.formIntersection(self.entries.values.compactMap(\.header.toast))
    }

    /// The token of the oldest record of an owner.
    func oldest(of owner: String) -> String? {
        let own = self.entries.lazy.filter { $0.value.header.owner == owner }
        return own.min { ($0.value.header.at, $0.value.order) < ($1.value.header.at, $1.value.order) }?.key
    }

    /// Whether a toast has a record, and no outcome.
    func isOpen(_ toast: ToastID) -> Bool {
        !self.ended.contains(toast)
            && self.entries.values.contains { $0.header.toast == toast && !$0.header.hasOutcome }
    }

    /// The toasts that have a record and no outcome.
    var openToasts: [ToastID] {
        let toasts = self.entries.values.lazy.filter { !$0.header.hasOutcome }.compactMap(\.header.toast)
        return Array(Set(toasts).subtracting(self.ended))
    }

    /// How many records each owner has.
    var counts: [String: Int] {
        self.entries.values.reduce(into: [:]) { $0[$1.header.owner, default: 0] += 1 }
    }
}
