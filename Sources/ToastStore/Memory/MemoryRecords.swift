import DequeModule
import ToastCore

/// The idempotency records of a channel, in memory.
struct MemoryRecords {
    /// The records of an owner, by key and in the order of insertion.
    private struct OwnerRecords {
        var records: [String: IdempotencyRecord] = [:]
        /// The keys, oldest first.
        var order: Deque<String> = []

        mutating func removeOldest() -> IdempotencyRecord? {
            self.order.popFirst().flatMap { self.records.removeValue(forKey: $0) }
        }

        @discardableResult
        mutating func remove(where isOver: (IdempotencyRecord) -> Bool) -> [IdempotencyRecord] {
            let over = self.records.values.filter(isOver)
            for record in over { self.records[record.key.text] = nil }
            self.order.removeAll { self.records[$0] == nil }
            return over
        }
    }

    private var owners: [String: OwnerRecords] = [:]
    /// The keys under which each toast was published.
    private var toasts: [ToastID: [IdempotencyKey]] = [:]
    /// The toasts without an outcome: few, however many keys there are.
    private var open: Set<ToastID> = []

    var isEmpty: Bool { self.owners.isEmpty }

    var count: Int { self.owners.values.reduce(0) { $0 + $1.records.count } }

    /// The number of records of each owner.
    var counts: [String: Int] { self.owners.mapValues(\.records.count) }

    subscript(key: IdempotencyKey) -> IdempotencyRecord? { self.owners[key.owner]?.records[key.text] }

    /// The toasts of records without an outcome.
    var openToasts: [ToastID] { Array(self.open) }

    /// How a toast ended; nil when it has not ended or no record is about it.
    func outcome(of toast: ToastID) -> ToastOutcome? {
        let document = self.toasts[toast]?.lazy.compactMap { self[$0]?.outcome }.first
        return document.map { ToastOutcome(id: toast, document: $0) }
    }

    /// Stores in the records of a toast how it ended.
    mutating func note(_ outcome: ToastOutcome) {
        self.open.remove(outcome.id)
        for key in self.toasts[outcome.id] ?? [] where self[key]?.outcome == nil {
            self.owners[key.owner]?.records[key.text]?.outcome = outcome.document
        }
    }

    /// Adds a record, or replaces the one of its key.
    mutating func add(_ record: IdempotencyRecord) {
        let text = record.key.text
        if let former = self[record.key] {
            self.forgetToast(of: former)
            self.owners[record.key.owner]?.remove { $0.key == record.key }
        }
        self.owners[record.key.owner, default: OwnerRecords()].records[text] = record
        self.owners[record.key.owner]?.order.append(text)
        guard let toast = record.toast else { return }
        self.toasts[toast, default: []].append(record.key)
        if record.outcome == nil { self.open.insert(toast) }
    }

    /// Removes the oldest record of an owner, if it has one.
    mutating func removeOldest(of owner: String) {
        if let record = self.owners[owner]?.removeOldest() { self.forgetToast(of: record) }
        if self.owners[owner]?.records.isEmpty == true { self.owners[owner] = nil }
    }

    mutating func remove(where isOver: (IdempotencyRecord) -> Bool) {
        for owner in self.owners.keys {
            for record in self.owners[owner]?.remove(where: isOver) ?? [] { self.forgetToast(of: record) }
        }
        self.owners = self.owners.filter { !$0.value.records.isEmpty }
    }

    private mutating func forgetToast(of record: IdempotencyRecord) {
        guard let toast = record.toast else { return }
        self.toasts[toast]?.removeAll { $0 == record.key }
        guard self.toasts[toast]?.isEmpty == true else { return }
        self.toasts[toast] = nil
        self.open.remove(toast)
    }
}
