package import ToastCore

extension Hub {
    /// The names of the channels that are kept, in order, after one if it is given; of all processes that share the
    /// log.
    ///
    /// - Throws: `unavailable` when the store, or the owners of some channels, do not answer.
    package func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] {
        if let gate = self.gate { return try await gate.channels(after: name, limit: limit) }
        return try await self.store.channels(after: name, limit: limit)
    }
}
