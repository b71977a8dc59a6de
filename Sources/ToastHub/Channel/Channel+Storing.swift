import EventLoop
import ToastCore

// Stores the engine's decisions and reports them to listeners.

extension Channel {
    /// Whether all of the engine's decisions are stored.
    ///
    /// Checked before ``awaitStorage()`` on hot paths, to save an asynchronous call.
    var isStored: Bool { self.isLoaded && self.commits.isReached(self.commits.goal(through: self.engine.offset)) }

    /// Starts to store pending events, unless a commit is under way.
    ///
    /// A log that never waits has stored them when this returns. Another log gets them in a later job, with all changes
    /// of the channel until then.
    ///
    /// Never inlined, to keep the frames of its callers small: "Asynchronous frames" in `docs/architecture.md`.
    @inline(never)
    func startCommit() {
        if self.commits.begin() { self.storePending() }
    }

    private func storePending() {
        if let batcher = self.context.batcher { return batcher.onLoop(self) { $0.gather($1) } }
        self.context.store.append([self.makeAppend()]) { _, outcome in self.receive(outcome) }
    }

    /// Returns when all decisions so far are stored, idempotency records included.
    ///
    /// Do not suspend between loading the channel and this call: a store that fails at once has failed by then, and the
    /// error is thrown here.
    func awaitStorage() async throws(ChannelError) {
        if self.isLoaded { self.startCommit() }
        if case .unloaded(let failure?) = self.phase { throw .store(failure) }
        let goal = self.commits.goal(through: self.engine.offset)
        guard !self.commits.isReached(goal) else { return }
        let waiter = self.commits.wait(for: goal)
        if let failure = await self.loop.pause({ waiter.wait($0) }) { throw .store(failure) }
    }

    /// Takes all pending changes as one atomic append.
    func makeAppend() -> Append {
        var batch = self.commits.takePending()
        // Encoded only when a consumer needs it: a log in memory stores events as they are.
        let isEncoded = !batch.encoded.isEmpty || !self.listeners.isEmpty || !self.webhookState.webhooks.isEmpty
        if isEncoded { batch.encode(self.name, self.context.epoch) }
        let endings = self.engine.hasEndings ? self.engine.takeEndings() : []
        let change = Append(
            channel: self.name,
            expected: self.commits.committed,
            events: isEncoded ? .written(batch.encoded) : .unwritten(batch.events),
            snapshot: self.snapshotIfDue(after: batch.events.count),
            records: batch.records,
            displaced: batch.displaced,
            outcomes: endings.map { ToastOutcome($0) },
            deliveries: isEncoded ? self.deliveries(of: batch.events, batch.encoded) : [],
            // Attached viewers may cause a deadline that does not exist without them. The next owner then loads the
            // channel too early, which does no harm.
            due: self.context.gate != nil ? self.outlook.deadline : nil
        )
        self.commits.note(CommitQueue.Commit(change: change, events: batch.events, endings: endings))
        return change
    }

    /// The snapshot to store with some events, if one is due, so that loading reads a bounded number of events.
    ///
    /// A snapshot grows with the number of queued toasts, so the number of events before the next one grows too, and
    /// the cost per event stays constant. Two events per queued toast are required, because while a queue only grows,
    /// its events are no larger than a snapshot. One event per toast suffices when the queue is longer than the number
    /// of events that a store keeps.
    private func snapshotIfDue(after count: Int) -> StoredSnapshot? {
        self.eventsSinceSnapshot += count
        let queued = self.outlook.queueLength
        let interval = max(256, min(2 * queued, max(queued, Retention.standard.events)))
        // A snapshot has the new defaults, so the `configured` event that tells of them has to be stored first.
        guard self.eventsSinceSnapshot >= interval, !self.engine.owesConfiguration else { return nil }
        self.eventsSinceSnapshot = 0
        return StoredSnapshot(offset: self.engine.offset, state: self.engine.snapshotState())
    }

    /// Receives the outcome of the append that ``makeAppend()`` made, on any thread.
    nonisolated func receive(_ outcome: AppendOutcome) {
        // A log that does not wait, or refuses the change, calls back on the loop's thread.
        guard !self.loop.isCurrent else { return self.onLoop(outcome) { $0.endCommit($1) } }
        self.loop.execute { self.onLoop(outcome) { $0.endCommit($1) } }
    }

    private func endCommit(_ outcome: AppendOutcome) {
        if let failure = outcome.error { return self.giveUp(failure) }
        self.deliver(self.commits.finish())
        if self.commits.beginNext() { self.storePending() }
    }

    private func deliver(_ commit: CommitQueue.Commit) {
        let (change, events, ended) = (commit.change, commit.events, commit.endings)
        if !change.deliveries.isEmpty { self.context.deliverySignal.send() }
        self.context.meter.count(events)
        self.isTimed = self.outlook.deadline != nil || self.commits.hasPending
        guard !events.isEmpty, !self.listeners.isEmpty else { return }
        let endings = ended.isEmpty ? [:] : Dictionary(ended.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let stored = change.events.stored(channel: self.name, epoch: self.context.epoch)
        let broadcast = zip(events, stored).map { BroadcastEvent($0, $1, endings) }
        self.listeners.send(Broadcast(channel: self.name, events: broadcast))
    }

    /// Handles a failed append: the engine's decisions since the last commit are void.
    ///
    /// All waiting requests get the error. The channel is loaded again when it is used, or after a while by itself if
    /// it has listeners or a toast with a deadline.
    private func giveUp(_ error: StoreError) {
        self.endDeletion(in: .unloaded(error))
        self.commits.fail(error)
        // An undecided append may be in the log, and may have set a deadline.
        let isUndecided = if case .undecided = error { true } else { false }
        if self.isTimed || isUndecided || !self.listeners.isEmpty { self.retryLater() } else { self.arm(at: nil) }
    }
}
