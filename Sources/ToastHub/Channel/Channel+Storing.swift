import EventLoop
import ToastCore

// How what the engine decided is stored, and who is told then.

extension Channel {
    /// Whether there is something to store; a request that changed nothing may still have a key to be remembered.
    var hasPending: Bool { !self.pending.isEmpty || !self.pendingRecords.isEmpty }

    /// Whether all that the engine has decided is stored; asked before ``settle()`` where an asynchronous call for nothing
    /// counts.
    var isSettled: Bool {
        self.isLoaded && !self.hasPending && self.engine.offset <= self.committed
            && self.recordsStored == self.recordsTaken
    }

    /// Has what was recorded stored, unless that is under way.
    ///
    /// A log that never waits has it when this returns. Another one is asked at the end of the turn, so that what else
    /// happens to the channel until then goes with it.
    ///
    /// Never inlined, as all that asynchronous functions on the way of a publish call: its variables would become part of
    /// their frames, and a frame of more than 1 KiB is one more piece of memory to get and to give back.
    @inline(never)
    func startCommit() {
        guard !self.isCommitting, self.hasPending else { return }
        self.isCommitting = true
        self.context.appending.onLoop(self) { $0.gather($1) }
    }

    /// Whether nobody has asked for the envelopes of what is pending, or will be told of it when it is stored.
    private var hasBareEvents: Bool {
        self.pendingStored.isEmpty && self.listeners.isEmpty && self.webhookState.webhooks.isEmpty
    }

    /// The store has done what ``takePending()`` gave it, or not.
    func endCommit(_ commit: Commit, _ failure: StoreError?) {
        if failure == nil { self.deliver(commit) }
        self.isCommitting = false
        if let failure { self.giveUp(failure) } else { self.startCommit() }
    }

    /// Returns once all that was decided so far is stored, idempotency records included.
    ///
    /// To be called without waiting for anything else since the channel was loaded: a store that fails at once has
    /// then failed already, and there is nothing left to wait for.
    func settle() async throws(ChannelError) {
        if self.isLoaded { self.startCommit() }
        if case .unloaded(let failure?) = self.phase { throw .unavailable(failure) }
        let records = self.recordsTaken
        if self.engine.offset > self.committed { try await self.wait(self.newWaiter()) }
        // A record without events: the repetition of a request whose toasts were there already.
        while self.recordsStored < records { try await self.wait(self.newWaiter()) }
    }

    /// One who waits for what the engine has decided so far.
    private func newWaiter() -> Waiter {
        let waiter = Waiter(offset: self.engine.offset)
        self.waiters.append(waiter)
        return waiter
    }

    private func wait(_ waiter: Waiter) async throws(ChannelError) {
        let failure = await self.loop.pause { waiter.wait($0) }
        if let failure { throw .unavailable(failure) }
    }

    /// What was recorded up to now.
    func takePending() -> Commit {
        let isBare = self.hasBareEvents
        if !isBare { self.writePending() }
        let (events, stored, records) = (self.pending, self.pendingStored, self.pendingRecords)
        self.pending = []
        let displaced = self.pendingDisplaced
        let endings = self.engine.hasEndings ? self.engine.takeEndings() : []
        self.pendingStored = []
        self.pendingRecords = []
        self.pendingDisplaced = []
        let change = Append(
            channel: self.name,
            expected: self.committed,
            events: isBare ? .unwritten(events) : .written(stored),
            snapshot: self.snapshotIfDue(events.count),
            records: records,
            displaced: displaced,
            outcomes: endings.map { ToastOutcome($0) },
            deliveries: self.deliveries(of: events, stored)
        )
        return Commit(channel: self, events: events, endings: endings, change: change)
    }

    /// How many events there are between two snapshots, at least.
    private static let snapshotInterval = 256

    /// The engine's state, when enough has happened since the last one was kept to be worth it.
    ///
    /// A state grows with the toasts that live, so the events it takes to write another one do too: the cost for each event
    /// stays the same. It takes two for each toast that waits, because as long as a queue only grows its events are no more
    /// than its state; but only one where these are more than a store is to keep.
    private func snapshotIfDue(_ count: Int) -> StoredSnapshot? {
        self.eventsSinceSnapshot += count
        let enough = min(2 * self.queueLength, max(self.queueLength, Retention.standard.events))
        guard self.eventsSinceSnapshot >= max(Self.snapshotInterval, enough) else { return nil }
        self.eventsSinceSnapshot = 0
        return StoredSnapshot(offset: self.engine.offset, state: self.engine.snapshotState())
    }

    private func deliver(_ commit: Commit) {
        let (events, change) = (commit.events, commit.change)
        self.recordsStored += change.records.count
        if !change.deliveries.isEmpty { self.context.bell.ring() }
        self.acknowledge(events)
        guard !events.isEmpty, !self.listeners.isEmpty else { return }
        let endings =
            commit.endings.isEmpty ? [:] : Dictionary(commit.endings.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let stored = change.events.stored(channel: self.name, epoch: self.context.store.epoch)
        let broadcast = zip(events, stored).map { BroadcastEvent($0, $1, endings) }
        self.broadcast(Broadcast(channel: self.name, events: broadcast))
    }

    private func acknowledge(_ events: [Event]) {
        self.context.meter.count(events)
        if let last = events.last { self.committed = last.offset }
        self.isTimed = self.deadline != nil || !self.pending.isEmpty
        if !self.waiters.isEmpty { self.endWaiters() }
    }

    /// Tells those who waited for what is stored now.
    private func endWaiters() {
        let count = self.waiters.prefix { $0.offset <= self.committed }.count
        for waiter in self.waiters.prefix(count) { waiter.end(nil) }
        self.waiters.removeFirst(count)
    }

    /// The store refused: what the engine decided since never happened.
    ///
    /// Whoever waits is told, and the channel is read again when it is used, or by itself a while later if someone listens,
    /// or something of it has its time though nobody does.
    private func giveUp(_ error: StoreError) {
        let waiting = self.leaveDeletion()
        self.phase = .unloaded(error)
        for continuation in waiting { continuation.resume() }
        self.pending = []
        self.pendingStored = []
        self.pendingRecords = []
        self.pendingDisplaced = []
        self.recordsTaken = self.recordsStored
        for waiter in self.waiters { waiter.end(error) }
        self.waiters = []
        if self.isTimed || !self.listeners.isEmpty { self.retryLater() } else { self.arm(at: nil) }
    }
}

/// One who waits for events to be stored.
///
/// It is noted before its task goes to where it waits: the task takes a turn of the loop to get there, and meanwhile
/// what it waits for may have happened.
final class Waiter {
    let offset: Offset

    private enum State {
        /// On the way to where it waits. Leaves to `waiting` or `over`.
        case coming
        /// Leaves to `over`.
        case waiting(CheckedContinuation<StoreError?, Never>)
        /// The events are stored, or were not.
        case over(StoreError?)
    }

    private var state = State.coming

    init(offset: Offset) {
        self.offset = offset
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

/// Events of a channel, and the change that stores them.
final class Commit: Sendable {
    let channel: Channel
    let events: [Event]
    /// The toasts that ended with them of those whose ends somebody wants to know.
    let endings: [Toast]
    let change: Append

    init(channel: Channel, events: [Event], endings: [Toast], change: Append) {
        self.channel = channel
        self.events = events
        self.endings = endings
        self.change = change
    }
}
