import EventLoop
package import ToastCore

extension Hub {
    /// The number of channels that are checked between two pauses.
    private static let wakingPage = 64

    /// Loads the channels that have a deadline, so that their timers run without a request.
    ///
    /// Call it once, at the start of the server: transitions that became overdue while it was down then happen, and
    /// webhooks receive them. Only the engine knows which channels have a deadline, so all channels are read. The loop
    /// pauses for three quarters of the time, to leave the processor to requests.
    ///
    /// - Throws: `unavailable` when the store fails.
    package func wakeChannels() async throws(StoreError) {
        var place: ChannelName?
        while !Task.isCancelled {
            let start = EventLoop.now
            let names = try await self.store.channels(after: place, limit: Self.wakingPage)
            for name in names where self.owns(name) {
                guard var engine = try await self.stored(name) else { continue }
                // New defaults may allow that a toast is presented which waits for viewers.
                engine.applyDefaults(self.defaults.settings(of: name))
                guard engine.nextDeadline != nil else { continue }
                // If there is no room for it, it waits for its next request.
                _ = try? await self.performHere(.read(.summary), on: name)
            }
            guard let last = names.last else { return }
            place = last
            // The only error is a cancellation, which the loop's condition checks.
            try? await Task.sleep(for: .nanoseconds(3 * (EventLoop.now - start)))
        }
    }

    /// Loads channels that are known to have a deadline, some at a time, so that their timers run.
    ///
    /// - Returns: The channels that could not be loaded now, and may be later.
    package func wakeChannels(_ names: [ChannelName]) async -> [ChannelName] {
        await withTaskGroup(of: ChannelName?.self) { group in
            var failed: [ChannelName] = []
            for (index, name) in names.enumerated() {
                if index >= Self.loadsAtATime, let next = await group.next(), let other = next { failed.append(other) }
                group.addTask { await self.wakeOwn(name) ? nil : name }
            }
            for await case let name? in group { failed.append(name) }
            return failed
        }
    }

    /// Loads a channel, unless another process decides for it by now.
    ///
    /// Returns false when the channel was unavailable, so that it is tried again.
    private func wakeOwn(_ name: ChannelName) async -> Bool {
        guard self.owns(name) else { return true }
        do throws(ChannelError) {
            _ = try await self.performHere(.read(.summary), on: name)
            return true
        } catch .store(.corrupt) {
            // Requests to it get the error.
            return true
        } catch .store {
            return false
        } catch {
            // There is no room for it: it waits for its next request.
            return true
        }
    }

    /// The number of channels that ``wakeChannels(_:)`` loads at the same time.
    private static let loadsAtATime = 16

    /// A channel as it is stored; nil when it is corrupt.
    ///
    /// A corrupt channel stays until an operator has examined it; requests to it fail with an error that says so.
    func stored(_ name: ChannelName) async throws(StoreError) -> Engine? {
        do throws(StoreError) {
            return try Engine(channel: name, epoch: self.epoch, try await self.store.load(name))
        } catch .corrupt {
            return nil
        }
    }
}
