import ToastCore

/// A channel's decisions that are not stored yet, and the requests that wait for them.
///
/// One commit is under way at a time. Decisions made meanwhile go into the next one, so a busy channel groups its
/// commits.
struct CommitQueue {
    /// The last event that is stored and delivered.
    private(set) var committed = Offset.origin

    private(set) var isCommitting = false

    /// The commit that is under way.
    private var underWay: Commit?

    /// The changes that the next commit stores.
    private var pending = Batch()

    /// The number of records added so far, and how many of them are stored.
    private var recordsTaken = 0
    private var recordsStored = 0

    /// The requests that wait for a commit, in the order of their offsets.
    private(set) var waiters: [CommitWaiter] = []

    /// Whether there is something to store.
    ///
    /// A request without events may still have a key to be stored.
    var hasPending: Bool { !self.pending.events.isEmpty || !self.pending.records.isEmpty }

    var isEmpty: Bool { !self.hasPending && !self.isCommitting && self.waiters.isEmpty }

    /// The most records of one commit: a cluster's log stores at most 900 messages together, and a record may displace
    /// another one.
    static let mostRecords = 400

    /// Whether the next commit has room for another record.
    var hasRoomForRecord: Bool { self.pending.records.count < Self.mostRecords }

    /// Begins after a stored event.
    mutating func restart(at offset: Offset) {
        self.committed = offset
    }
}

// MARK: - Filling

extension CommitQueue {
    mutating func add(_ events: [Event]) {
        // Appending to the empty array would copy every event.
        if self.pending.events.isEmpty { self.pending.events = events } else { self.pending.events += events }
    }

    /// Adds a record for the repetitions of a request; `owner` loses its oldest record for it.
    mutating func add(_ record: IdempotencyRecord, displacing owner: String?) {
        self.recordsTaken += 1
        self.pending.records.append(record)
        if let owner { self.pending.displaced.append(owner) }
    }

    /// Drops the records of requests that were not carried out.
    mutating func dropRecords() {
        self.pending.records = []
        self.pending.displaced = []
        self.recordsTaken = self.recordsStored
    }

    /// Encodes the pending events that are not encoded yet, and returns them.
    mutating func encode(_ channel: ChannelName, _ epoch: Epoch) -> [StoredEvent] {
        self.pending.encode(channel, epoch)
    }
}

// MARK: - Committing

extension CommitQueue {
    /// The pending changes that one commit stores.
    struct Batch {
        var events: [Event] = []
        /// The stored form of the first of ``events``, as far as it was requested.
        var encoded: [StoredEvent] = []
        var records: [IdempotencyRecord] = []
        /// The owners that lose their oldest record for one of ``records``.
        var displaced: [String] = []

        /// Encodes the events that are not encoded yet, and returns them.
        @discardableResult
        mutating func encode(_ channel: ChannelName, _ epoch: Epoch) -> [StoredEvent] {
            let count = self.encoded.count
            guard count < self.events.count else { return [] }
            let rest = count == 0 ? self.events : Array(self.events[count...])
            let stored = Event.stored(rest, channel: channel, epoch: epoch)
            if count == 0 { self.encoded = stored } else { self.encoded += stored }
            return stored
        }
    }

    /// An append, and what is reported when it is stored.
    struct Commit {
        let change: Append
        let events: [Event]
        /// The watched toasts that the events end, in their final state.
        let endings: [Toast]
    }

    /// Begins a commit, unless one is under way or there is nothing to store.
    mutating func begin() -> Bool {
        guard !self.isCommitting, self.hasPending else { return false }
        self.isCommitting = true
        return true
    }

    /// Takes all pending changes; the caller makes a commit of them, and passes it to ``note(_:)``.
    mutating func takePending() -> Batch {
        var batch = Batch()
        swap(&batch, &self.pending)
        return batch
    }

    /// Notes the commit that is under way.
    mutating func note(_ commit: Commit) {
        self.underWay = commit
    }

    /// Notes that the commit under way is stored, and resumes the requests that waited for it; returns the commit.
    mutating func finish() -> Commit {
        guard let commit = self.underWay.take() else { preconditionFailure("A commit was stored that was not noted.") }
        self.recordsStored += commit.change.records.count
        if let last = commit.events.last { self.committed = last.offset }
        guard !self.waiters.isEmpty else { return commit }
        let count = self.waiters.prefix { self.isReached($0.goal) }.count
        for waiter in self.waiters.prefix(count) { waiter.end(nil) }
        self.waiters.removeFirst(count)
        return commit
    }

    /// Ends the commit under way, and begins the next one if something is pending; returns whether it did.
    mutating func beginNext() -> Bool {
        self.isCommitting = self.hasPending
        return self.isCommitting
    }

    /// Ends the commit under way, drops all pending changes, and fails all waiting requests.
    mutating func fail(_ error: StoreError) {
        self.isCommitting = false
        self.underWay = nil
        self.pending = Batch()
        self.recordsTaken = self.recordsStored
        for waiter in self.waiters { waiter.end(error) }
        self.waiters = []
    }
}

// MARK: - Waiting

extension CommitQueue {
    /// What must be stored before all decisions so far are stored.
    ///
    /// A record may come without an event, and so without an offset: that of a request that only repeats living toasts.
    struct Goal {
        let offset: Offset
        fileprivate let records: Int
    }

    func goal(through offset: Offset) -> Goal {
        Goal(offset: offset, records: self.recordsTaken)
    }

    func isReached(_ goal: Goal) -> Bool {
        goal.offset <= self.committed && goal.records <= self.recordsStored
    }

    /// A waiter that ends with the commit that reaches a goal, or with the next one that fails.
    mutating func wait(for goal: Goal) -> CommitWaiter {
        let waiter = CommitWaiter(goal: goal)
        self.waiters.append(waiter)
        return waiter
    }
}

/// Waits for events to be stored.
///
/// It is registered before its task suspends: suspending takes the task through the loop's queue, and the commit may
/// end meanwhile.
final class CommitWaiter {
    let goal: CommitQueue.Goal

    private enum State {
        /// The task has not suspended yet. Leaves to `waiting` or `over`.
        case coming
        /// Leaves to `over`.
        case waiting(CheckedContinuation<StoreError?, Never>)
        /// The commit has ended: `nil` when the events are stored, else why they are not.
        case over(StoreError?)
    }

    private var state = State.coming

    init(goal: CommitQueue.Goal) {
        self.goal = goal
    }

    func wait(_ continuation: CheckedContinuation<StoreError?, Never>) {
        if case .over(let failure) = self.state {
            continuation.resume(returning: failure)
        } else {
            self.state = .waiting(continuation)
        }
    }

    func end(_ failure: StoreError?) {
        if case .waiting(let continuation) = self.state { continuation.resume(returning: failure) }
        self.state = .over(failure)
    }
}
