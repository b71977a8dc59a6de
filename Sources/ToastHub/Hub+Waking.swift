import EventLoop
public import ToastCore

extension Hub {
    /// Channels that are looked at before the next rest.
    private static let wakingPage = 64

    /// Reads the channels in which time alone brings something about, so that their timers run though nobody uses them.
    ///
    /// To be called once, when the server starts: what time brought about while it was away happens then, and webhooks
    /// hear of it. Only the engine knows which channels these are, so all of them are read, at rest for three quarters of
    /// the time: those who use the server come first.
    ///
    /// - Throws: `unavailable` when the store fails.
    public func wakeChannels() async throws(StoreError) {
        var place: ChannelName?
        while !Task.isCancelled {
            let start = EventLoop.now
            let names = try await self.store.channels(after: place, limit: Self.wakingPage)
            for name in names { try await self.wake(name) }
            guard let last = names.last else { return }
            place = last
            // To be cancelled is all that can go wrong, and that is asked above.
            try? await Task.sleep(for: .nanoseconds(3 * (EventLoop.now - start)))
        }
    }

    private func wake(_ name: ChannelName) async throws(StoreError) {
        let engine: Engine
        do throws(StoreError) {
            engine = try Engine(channel: name, epoch: self.epoch, try await self.store.load(name))
        } catch .corrupt {
            // Whoever uses it is told.
            return
        }
        guard engine.nextDeadline != nil else { return }
        // Without room for it, it waits until somebody uses it.
        _ = try? await self.perform(.read(.summary), on: name)
    }
}
