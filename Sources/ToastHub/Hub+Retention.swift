public import ToastCore

// A name costs a row for ever unless somebody takes it back: a store forgets events by itself, but only the engine knows
// what they come to.

extension Hub {
    /// Channels that are looked at together.
    private static let page = 256

    /// Channels that are looked at in one round and stay; the next round goes on behind them.
    private static let round = 4096

    /// Forgets channels in which nothing has happened for long and nothing is left: no toast, no setting, no webhook
    /// and no idempotency key.
    ///
    /// Who hears such a channel goes on hearing it.
    ///
    /// - Parameters:
    ///   - place: Where the last round ended; `nil` to begin.
    ///   - instant: Since when nothing must have happened.
    /// - Returns: Where the next round begins.
    /// - Throws: `unavailable` when the store fails.
    public func forgetVacantChannels(
        after place: ChannelName?,
        quietSince instant: Instant
    ) async throws(StoreError) -> ChannelName? {
        var (place, looked) = (place, 0)
        while looked < Self.round {
            let quiet = try await self.store.quietChannels(after: place, since: instant, limit: Self.page)
            looked += Self.page
            for name in quiet.names { looked -= try await self.forgetIfVacant(name) ? 1 : 0 }
            place = quiet.next
            if place == nil { break }
        }
        return place
    }

    private func forgetIfVacant(_ name: ChannelName) async throws(StoreError) -> Bool {
        let engine: Engine
        do throws(StoreError) {
            engine = try Engine(channel: name, epoch: self.epoch, try await self.store.load(name))
        } catch .corrupt {
            // It stays until a person has looked at it, and is told of when somebody uses it.
            return false
        }
        if engine.isVacant { return try await self.store.forget(name, at: engine.offset) }
        // Nobody has used it since its toasts should have ended: they end when it is read.
        if let deadline = engine.nextDeadline, deadline <= self.clock.now {
            _ = try? await self.perform(.read(.summary), on: name)
        }
        return false
    }
}
