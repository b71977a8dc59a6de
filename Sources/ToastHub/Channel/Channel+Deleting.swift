import EventLoop
public import ToastCore

// A channel is deleted in two steps, each of them durable: all that is in it ends, as events that its consumers are told of; and
// then everything that is kept of it goes in one transaction. Killed in between, it is an empty channel with a log.

extension Channel {
    /// Ends all toasts, and forgets settings, webhooks, what waits for these, idempotency keys and the log.
    ///
    /// Whoever hears the channel goes on hearing what comes after: a new one, with whose state it begins anew.
    ///
    /// - Throws: `unavailable` when not all of it could be written; the same request completes it.
    func delete() async throws(ChannelError) -> ChannelAnswer {
        // No change of webhooks or settings comes in between.
        try await self.beginChangingWebhooks()
        defer { self.endChangingWebhooks() }
        if !self.isLoaded { try await self.load() }
        try self.applyOutsideCommand(.clear)
        if self.engine.settings != Settings() { try self.applyOutsideCommand(.configure(Settings())) }
        // From here on whoever wants something waits, so that nobody's toast is accepted by the old channel and lost with it.
        guard case .loaded = self.phase else { throw self.deletionFailure }
        self.phase = .deleting([])
        self.startCommit()
        do throws(ChannelError) {
            try await self.settle()
            self.beginAnew(behind: try await self.removeFromStore())
        } catch {
            let waiting = self.leaveDeletion()
            if case .deleting = self.phase { self.phase = .unloaded(nil) }
            for continuation in waiting { continuation.resume() }
            if !self.listeners.isEmpty { self.retryLater() }
            throw error
        }
        return .done
    }

    /// Those who wait for the end of a deletion; nobody when there is none.
    func leaveDeletion() -> [CheckedContinuation<Void, Never>] {
        guard case .deleting(let waiting) = self.phase else { return [] }
        self.phase = .deleting([])
        return waiting
    }

    private var deletionFailure: ChannelError {
        if case .unloaded(let failure?) = self.phase { return .unavailable(failure) }
        return .unavailable(.conflict(current: self.committed))
    }

    /// Removes the channel from the store; where a new one begins.
    private func removeFromStore() async throws(ChannelError) -> Offset {
        guard case .deleting = self.phase, !self.isCommitting, !self.hasPending else {
            throw self.deletionFailure
        }
        let beginning: Offset?
        do throws(StoreError) {
            beginning = try await self.context.store.remove(self.name, at: self.committed)
        } catch {
            throw .unavailable(error)
        }
        guard let beginning else { throw .unavailable(.conflict(current: self.committed)) }
        return beginning
    }

    /// Begins as a channel of which nothing is known.
    private func beginAnew(behind offset: Offset) {
        let engine = Engine(channel: self.name, epoch: self.context.store.epoch, behind: offset)
        self.consult { former, _ in former = engine }
        self.committed = engine.offset
        self.isTimed = false
        self.eventsSinceSnapshot = 0
        self.webhookState.change(to: [])
        self.keyCount = KeyCount()
        self.keyCount.take(0, at: EventLoop.now)
        let waiting = self.leaveDeletion()
        self.phase = .loaded
        for continuation in waiting { continuation.resume() }
        self.schedule()
        self.applyAudience()
        for listeners in self.listeners.values {
            let (fanout, name) = (listeners.fanout, self.name)
            if fanout.loop === self.loop {
                fanout.assumeIsolated { $0.beginAnew(name) }
            } else {
                fanout.loop.execute { fanout.assumeIsolated { $0.beginAnew(name) } }
            }
        }
    }
}

extension Hub {
    /// Deletes a channel, as ``Channel/delete()`` does, and what else is remembered of it.
    ///
    /// - Parameters:
    ///   - name: The channel.
    ///   - fanouts: All streams, which may have parts of the channel's log at hand.
    /// - Throws: What that throws.
    public func delete(_ name: ChannelName, _ fanouts: [Fanout]) async throws(ChannelError) {
        _ = try await self.perform(.delete, on: name)
        self.counters.attempts.forget(name)
        for fanout in fanouts { fanout.loop.execute { fanout.assumeIsolated { $0.forgetPages(of: name) } } }
    }
}
