import EventLoop
import ToastCore

// A channel is deleted in two durable steps. First all its content ends, by events that its consumers receive. Then
// everything stored of the channel is removed in one transaction. If the process is killed in between, an empty channel
// with a log is left.

extension Channel {
    /// Ends all toasts, and removes settings, webhooks, their deliveries, idempotency keys and the log.
    ///
    /// Listeners stay, and begin anew with the state of the new channel.
    ///
    /// - Throws: `store` when not all of it could be written; the same request completes it.
    @inline(never)
    func delete() async throws(ChannelError) -> ChannelAnswer {
        // Excludes concurrent changes of webhooks and settings.
        try await self.beginChangingConfiguration()
        defer { self.webhookState.end() }
        if !self.isLoaded { try await self.load() }
        try self.applyOutsideCommand(.clear)
        let cleared = self.engine.settings.cleared
        if self.engine.settings != cleared { try self.applyOutsideCommand(.configure(cleared)) }
        // From here on other requests wait, so that no toast is accepted by the old channel and then lost with it.
        guard case .loaded = self.phase else { throw self.deletionFailure }
        self.phase = .deleting([])
        self.startCommit()
        do throws(ChannelError) {
            try await self.awaitStorage()
            self.beginAnew(after: try await self.removeFromStore())
        } catch {
            if case .deleting = self.phase { self.endDeletion(in: .unloaded(nil)) }
            if !self.listeners.isEmpty { self.retryLater() }
            throw error
        }
        return .done
    }

    /// Begins another phase, and resumes the requests that wait for the end of a deletion.
    func endDeletion(in phase: Phase) {
        let old = self.phase
        self.phase = phase
        guard case .deleting(let waiting) = old else { return }
        for continuation in waiting { continuation.resume() }
    }

    private var deletionFailure: ChannelError {
        if case .unloaded(let failure?) = self.phase { return .store(failure) }
        return .store(.conflict(current: self.commits.committed))
    }

    /// Removes the channel from the store; returns the last offset before the new channel.
    private func removeFromStore() async throws(ChannelError) -> Offset {
        guard case .deleting = self.phase, !self.commits.isCommitting, !self.commits.hasPending else {
            throw self.deletionFailure
        }
        let beginning: Offset?
        do throws(StoreError) {
            beginning = try await self.context.store.remove(self.name, at: self.commits.committed)
        } catch {
            throw .store(.undecided("The channel is empty, and may still be stored: \(error)"))
        }
        guard let beginning else { throw .store(.conflict(current: self.commits.committed)) }
        return beginning
    }

    /// Begins as a new channel after an offset.
    private func beginAnew(after offset: Offset) {
        self.adopt(
            Engine(channel: self.name, epoch: self.context.epoch, after: offset),
            eventsSinceSnapshot: 0,
            keyCount: 0
        )
        self.webhookState.change(to: [])
        self.context.deliveryAttempts.forget(self.name)
        self.endDeletion(in: .loaded)
        // Before the first events of the new channel, which would replace pending events of the old one in
        // `PendingEvents`.
        self.listeners.sendRestart(of: self.name)
        self.applyDefaults()
        self.applyAudience()
    }
}
