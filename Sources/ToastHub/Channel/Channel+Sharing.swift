import EventLoop
import ToastCore

// What a channel does when other processes have listeners of it, or decide for it.

extension Channel {
    /// Replaces the listeners of an observer; returns the last stored event, or nil when the channel is not loaded.
    func renew(_ counts: ListenerCounts, of observer: any ChannelObserver) -> Offset? {
        guard self.isLoaded else { return nil }
        self.listeners.replace(counts, of: observer)
        // They may have heard nothing of new defaults while they were not counted.
        if !counts.isEmpty { self.announceOwedDefaults() }
        self.updateAudience()
        return self.commits.committed
    }

    /// Loads the channel again if the log has an event that this process does not know.
    ///
    /// A former owner may have appended it after this process had loaded the channel. A commit under way conflicts with
    /// it, and then the channel is loaded again. If the log does not have the event either, it has lost its end, and
    /// the listeners begin anew.
    func reload(knowing last: Offset?) {
        if case .loading = self.phase { self.isOutdated = true }
        guard self.isLoaded, self.commits.isEmpty, last.map({ self.commits.committed < $0 }) ?? true else { return }
        self.phase = .unloaded(nil)
        Task.immediate {
            do {
                try await self.load()
                if let last, self.commits.committed < last { self.listeners.sendRestart(of: self.name) }
            } catch {
                self.retryLater()
            }
        }
    }

    /// Removes all listeners of an observer.
    func leave(_ observer: any ChannelObserver) {
        self.listeners.removeAll(of: observer)
        if self.isLoaded { self.updateAudience() }
    }

    /// Stops deciding for the channel, because another process does from now on.
    ///
    /// A commit in progress may still succeed: the log accepts it only if no other process has appended since. Until it
    /// ends, the channel stays in memory; call this again then. A load in progress is repeated. Listeners get further
    /// events from the new owner.
    func release() {
        guard case .loaded = self.phase, self.commits.isEmpty else {
            if case .unloaded = self.phase { self.clearListenersAndTimer() }
            if case .loading = self.phase { self.isOutdated = true }
            self.listeners = ChannelListeners()
            return
        }
        self.phase = .unloaded(nil)
        self.clearListenersAndTimer()
    }

    /// Forgets the listeners without telling the engine, and stops the timer.
    private func clearListenersAndTimer() {
        self.listeners = ChannelListeners()
        self.isTimed = false
        self.meterQueue(0)
        self.arm(at: nil)
    }
}
