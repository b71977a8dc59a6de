import EventLoop
import ToastCore

// What a channel does when other processes have listeners of it, or decide for it.

extension Channel {
    /// Replaces the listeners of an observer; returns the last stored event, or nil when the channel is not loaded.
    func renew(_ counts: ListenerCounts, of observer: any ChannelObserver) -> Offset? {
        guard self.isLoaded else { return nil }
        self.listeners.replace(counts, of: observer)
        self.updateAudience()
        return self.commits.committed
    }

    /// Removes all listeners of an observer.
    func leave(_ observer: any ChannelObserver) {
        self.listeners.removeAll(of: observer)
        if self.isLoaded { self.updateAudience() }
    }

    /// Stops deciding for the channel, because another process does from now on.
    ///
    /// Requests under way still end: if they append, the log accepts it only from the state that is stored. While they
    /// do, the channel stays as it is, and has to be released again. What is being loaded is loaded again.
    func release() {
        guard case .loaded = self.phase, self.commits.isEmpty else {
            if case .unloaded = self.phase { self.clearListenersAndTimer() }
            if case .loading = self.phase { self.isOutdated = true }
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
