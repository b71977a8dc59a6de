public import ToastCore

extension SQLiteStore {
    /// How many channels are kept.
    public func channelCount() async throws(StoreError) -> Int { self.channelTally.count.number }

    /// Keeps at most so many channels from now on; those that are there stay.
    public func limitChannels(to count: Int) { self.channelTally.setLimit(count) }

    /// Looks at some channels for those without webhooks and records, in which nothing has happened since an instant.
    public func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels {
        try await self.read { try $0.quietChannels(after: name?.rawValue ?? "", since: instant, limit: max(limit, 1)) }
    }

    /// Removes a channel with all that is kept of it, in one transaction, and returns after it was committed.
    public func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Offset? {
        let isGone = try await self.writer.perform(.removeChannel(channel, at: offset)) > 0
        return isGone ? self.channelTally.count.floor : nil
    }

    /// Forgets a channel whole, if it still stands at an offset and has neither webhooks nor records.
    @discardableResult
    public func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        try await self.writer.perform(.forgetChannel(channel, at: offset)) > 0
    }
}
