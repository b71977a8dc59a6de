import EventLoop
package import ToastCore

extension Fanout: ChannelObserver {
    package nonisolated func receive(_ broadcast: Broadcast) {
        self.runOnLoop { $0.take(broadcast) }
    }

    package nonisolated func channelDidRestart(_ name: ChannelName) {
        self.runOnLoop { $0.beginAnew(name) }
    }

    package nonisolated func channel(_ name: ChannelName, isStoredThrough offset: Offset) {
        self.runOnLoop { $0.learn(offset, of: name) }
    }

    /// Runs a body at once if the caller is on the fan-out's loop, else in a later job of that loop.
    private nonisolated func runOnLoop(_ body: @escaping @Sendable (isolated Fanout) -> Void) {
        guard self.loop.isCurrent else { return self.execute(body) }
        self.assumeIsolated(body)
    }
}

extension Fanout {
    /// Restarts all streams of a channel with its state, because the previous channel was deleted, or the log has lost
    /// its end.
    ///
    /// Waiting publishers are left out. A deletion has ended their toasts. If the log has lost a toast, its publisher
    /// is answered when the wait is over.
    func beginAnew(_ name: ChannelName) {
        // The pending events of the old channel go out first.
        self.flush()
        self.pages.removeAll(of: name)
        for slot in self.channels[name] {
            guard let stream = self.streams[slot], let index = stream.index(of: name) else { continue }
            if case .outcome = stream.kind { continue }
            self.removeDirectSubscriber(stream)
            guard stream[logAt: index].beginAnew() else { continue }
            self.catchUp(stream)
        }
    }

    /// Compares the position of each stream of a channel with the end of the log, because live events may have been
    /// lost on their way from another process.
    func learn(_ offset: Offset, of name: ChannelName) {
        // Pending events go out first, so that they do not count as missed.
        self.flush()
        for slot in self.channels[name] {
            guard let stream = self.streams[slot], let index = stream.index(of: name) else { continue }
            self.removeDirectSubscriber(stream)
            if stream[logAt: index].learn(stored: offset) {
                if case .outcome = stream.kind { self.askForOutcome(stream, at: index) }
                self.catchUp(stream)
            } else {
                self.addDirectSubscriber(stream)
            }
        }
    }
}
