import EventLoop
import ToastCore

// Loads a channel from its latest snapshot and the events after it.

extension Channel {
    /// Loads the stored state, unless it is loaded already.
    @inline(never)
    func load() async throws(ChannelError) {
        while true {
            switch self.phase {
            case .loaded:
                return
            case .loading(var others):
                let failure = await withCheckedContinuation { continuation in
                    others.append(continuation)
                    self.phase = .loading(others)
                }
                // Waiting requests share the failure. If each retried, a failed store would get one call per waiting
                // request.
                if let failure { throw .store(failure) }
            case .deleting(var others):
                await withCheckedContinuation { continuation in
                    others.append(continuation)
                    self.phase = .deleting(others)
                }
            case .unloaded:
                self.phase = .loading([])
                var failure: StoreError?
                repeat {
                    self.isOutdated = false
                    failure = await self.read()
                } while self.isOutdated && failure == nil && self.serves
                // This process may have lost the channel meanwhile. Then nothing is decided by what was loaded.
                if failure == nil, !self.serves { failure = self.lostChannel }
                guard case .loading(let others) = self.phase else { continue }
                self.phase = failure == nil ? .loaded : .unloaded(failure)
                for other in others { other.resume(returning: failure) }
                if let failure { throw .store(failure) }
                self.applyDefaults()
                self.applyAudience()
                return
            }
        }
    }

    private func read() async -> StoreError? {
        do throws(StoreError) {
            let webhookChanges = self.webhookState.changes
            let stored = try await self.context.store.load(self.name)
            var engine = try Engine(channel: self.name, epoch: self.context.epoch, stored)
            for id in stored.openToasts { engine.watch(id) }
            self.clock = self.clock.notBefore(engine.lastInstant)
            try await self.sendUnreported(through: engine.offset)
            self.adopt(engine, eventsSinceSnapshot: stored.tail.count, keyCount: stored.recordCount)
            // Only in a cluster are requests repeated under the same toast ids.
            if self.context.gate != nil { self.recent.note(stored.tail, self.now) }
            self.webhookState.take(stored.webhooks, readAt: webhookChanges)
            return nil
        } catch {
            return error
        }
    }

    /// Begins with the state that the store has; nothing is pending.
    func adopt(_ engine: Engine, eventsSinceSnapshot: Int, keyCount: Int?) {
        self.recent.forget(after: self.commits.committed)
        self.engine = engine
        self.engine.lexicon = self.context.catalogs.lexicon
        self.commits.restart(at: engine.offset)
        self.isTimed = engine.nextDeadline != nil
        self.eventsSinceSnapshot = eventsSinceSnapshot
        if let keyCount { self.keyCount.take(keyCount, at: EventLoop.now) }
    }

    /// Sends events that the store had reported as failed, or that another process stored.
    ///
    /// The last event is enough: streams read the missing ones before it from the log. If the log has lost its end, the
    /// listeners begin anew: the next events get offsets of events that the listeners have.
    private func sendUnreported(through last: Offset) async throws(StoreError) {
        let known = self.commits.committed
        guard known > .origin, known != last, !self.listeners.isEmpty else { return }
        guard known < last else { return self.listeners.sendRestart(of: self.name) }
        let previous = last.previous
        let history = try await self.context.store.events(of: self.name, after: previous, limit: 1)
        let events = history.events.compactMap { BroadcastEvent($0, agedTo: self.now) }
        self.listeners.send(Broadcast(channel: self.name, events: events))
    }
}
