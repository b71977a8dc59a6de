package import ToastCore

extension SQLiteStore {
    /// How many channels are kept.
    package func channelCount() async throws(StoreError) -> Int { self.counts.values.channels }

    /// Keeps at most so many channels from now on; those that are there stay.
    package func limitChannels(to count: Int) { self.counts.channelLimit = count }

    /// Looks at some channels for those without webhooks and records in which nothing has happened since an instant.
    package func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels {
        try await self.read { try $0.quietChannels(after: name?.rawValue ?? "", since: instant, limit: max(limit, 1)) }
    }

    /// Removes a channel with all that is kept of it, if its last event is still at an offset; returns after the
    /// commit.
    package func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Offset? {
        let isGone = try await self.writer.perform(.removeChannel(channel, at: offset)) > 0
        return isGone ? self.counts.values.floor : nil
    }

    /// Forgets a channel, if its last event is still at an offset and it has neither webhooks nor records.
    @discardableResult
    package func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        try await self.writer.perform(.forgetChannel(channel, at: offset)) > 0
    }
}
