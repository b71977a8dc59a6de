package import ToastCore

// A channel takes a row of the store until it is forgotten. A store prunes events by itself, but only the engine can
// tell whether a channel is empty.

extension Hub {
    /// The number of channels per query.
    private static let page = 256

    /// The number of channels that one round checks and keeps; the next round continues after them.
    private static let round = 4096

    /// Forgets channels without recent events and without content: no toast, setting, webhook or idempotency key.
    ///
    /// Listeners of such a channel stay.
    ///
    /// - Parameters:
    ///   - place: The last channel of the previous round; `nil` to begin.
    ///   - instant: The channels must have no event since then.
    /// - Returns: The start of the next round.
    /// - Throws: `unavailable` when the store fails.
    package func forgetVacantChannels(
        after place: ChannelName?,
        quietSince instant: Instant
    ) async throws(StoreError) -> ChannelName? {
        var (place, looked) = (place, 0)
        while looked < Self.round {
            let quiet = try await self.store.quietChannels(after: place, since: instant, limit: Self.page)
            looked += Self.page
            for name in quiet.names where self.owns(name) { looked -= try await self.forgetIfVacant(name) ? 1 : 0 }
            place = quiet.next
            if place == nil { break }
        }
        return place
    }

    private func forgetIfVacant(_ name: ChannelName) async throws(StoreError) -> Bool {
        guard let engine = try await self.stored(name) else { return false }
        if engine.isVacant { return try await self.store.forget(name, at: engine.offset) }
        // Its toasts are overdue, because nothing has loaded the channel since: loading it ends them.
        if let deadline = engine.nextDeadline, deadline <= self.clock.now {
            _ = try? await self.performHere(.read(.summary), on: name)
        }
        return false
    }
}
