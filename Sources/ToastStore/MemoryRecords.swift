import ToastCore

/// The idempotency records of a channel, in memory.
struct MemoryRecords {
    /// The records of an owner: found by their keys, and in the order in which they came.
    private struct Shelf {
        var records: [String: IdempotencyRecord] = [:]
        /// The keys, oldest first; those before `start` are gone, and taken out together now and then.
        var order: [String] = []
        var start = 0

        mutating func removeOldest() -> IdempotencyRecord? {
            guard self.start < self.order.count else { return nil }
            let record = self.records.removeValue(forKey: self.order[self.start])
            self.start += 1
            guard self.start * 2 > self.order.count else { return record }
            self.order.removeFirst(self.start)
            self.start = 0
            return record
        }

        @discardableResult
        mutating func remove(where isOver: (IdempotencyRecord) -> Bool) -> [IdempotencyRecord] {
            let over = self.records.values.filter(isOver)
            for record in over { self.records[record.key.text] = nil }
            self.order = self.order[self.start...].filter { self.records[$0] != nil }
            self.start = 0
            return over
        }
    }

    private var shelves: [String: Shelf] = [:]
    /// The keys under which a toast was published, of those that are about one toast.
    private var toasts: [ToastID: [IdempotencyKey]] = [:]
    /// Those of them of which no outcome is kept: few, however many keys there are.
    private var open: Set<ToastID> = []

    /// Whether there is none.
    var isEmpty: Bool { self.shelves.isEmpty }

    /// How many there are.
    var count: Int { self.shelves.values.reduce(0) { $0 + $1.records.count } }

    /// How many there are of each owner.
    var counts: [String: Int] { self.shelves.mapValues(\.records.count) }

    /// The record of a key.
    subscript(key: IdempotencyKey) -> IdempotencyRecord? { self.shelves[key.owner]?.records[key.text] }

    /// The toasts of records without an outcome.
    var openToasts: [ToastID] { Array(self.open) }

    /// How a toast ended; nil when it has not, or no record is about it.
    func outcome(of toast: ToastID) -> ToastOutcome? {
        let document = self.toasts[toast]?.lazy.compactMap { self[$0]?.outcome }.first
        return document.map { ToastOutcome(id: toast, document: $0) }
    }

    /// Notes in the records of a toast how it ended.
    mutating func note(_ outcome: ToastOutcome) {
        self.open.remove(outcome.id)
        for key in self.toasts[outcome.id] ?? [] {
            guard let record = self[key], record.outcome == nil else { continue }
            self.shelves[key.owner]?.records[key.text] = IdempotencyRecord(
                key: key,
                fingerprint: record.fingerprint,
                at: record.at,
                response: record.response,
                toast: record.toast,
                outcome: outcome.document
            )
        }
    }

    /// Adds a record, or replaces the one of its key.
    mutating func add(_ record: IdempotencyRecord) {
        let text = record.key.text
        if let former = self[record.key] {
            self.forgetToast(of: former)
            self.shelves[record.key.owner]?.remove { $0.key == record.key }
        }
        self.shelves[record.key.owner, default: Shelf()].records[text] = record
        self.shelves[record.key.owner]?.order.append(text)
        guard let toast = record.toast else { return }
        self.toasts[toast, default: []].append(record.key)
        if record.outcome == nil { self.open.insert(toast) }
    }

    /// Removes the oldest record of an owner, if there is any.
    mutating func removeOldest(of owner: String) {
        if let record = self.shelves[owner]?.removeOldest() { self.forgetToast(of: record) }
        if self.shelves[owner]?.records.isEmpty == true { self.shelves[owner] = nil }
    }

    /// Removes what is over.
    mutating func remove(where isOver: (IdempotencyRecord) -> Bool) {
        for owner in self.shelves.keys {
            for record in self.shelves[owner]?.remove(where: isOver) ?? [] { self.forgetToast(of: record) }
        }
        self.shelves = self.shelves.filter { !$0.value.records.isEmpty }
    }

    private mutating func forgetToast(of record: IdempotencyRecord) {
        guard let toast = record.toast else { return }
        self.toasts[toast]?.removeAll { $0 == record.key }
        guard self.toasts[toast]?.isEmpty == true else { return }
        self.toasts[toast] = nil
        self.open.remove(toast)
    }
}
