import Synchronization
public import ToastCore

extension MemoryStore.State {
    /// Adds a channel, if there may be one more.
    mutating func add(_ channel: ChannelName) throws(StoreError) {
        guard self.channels.count < self.limit else { throw .tooManyChannels }
        self.channels[channel] = MemoryStore.Channel(behind: self.floor)
    }

    mutating func remove(_ name: ChannelName, at offset: Offset) -> Offset? {
        guard let channel = self.channels[name] else { return self.floor }
        guard channel.standing.admits(offset) else { return nil }
        for webhook in channel.webhooks { _ = self.outbox.remove(for: webhook.url, of: name) }
        if !channel.standing.isFresh { self.floor = max(self.floor, channel.standing.last.next) }
        self.channels[name] = nil
        return self.floor
    }

    mutating func forget(_ name: ChannelName, at offset: Offset) -> Bool {
        guard let channel = self.channels[name], channel.standing.admits(offset), !channel.isNeeded
        else { return false }
        self.floor = max(self.floor, channel.standing.last)
        self.channels[name] = nil
        return true
    }
}

extension MemoryStore.Channel {
    /// Whether there is more than events.
    fileprivate var isNeeded: Bool { !self.webhooks.isEmpty || !self.records.isEmpty }

    fileprivate func isQuiet(since instant: Instant) -> Bool {
        !self.isNeeded && self.lastInstant.map { $0 < instant } ?? true
    }
}

extension MemoryStore {
    /// How many channels are kept.
    public func channelCount() async throws(StoreError) -> Int {
        try self.withState { (state: inout State) throws(StoreError) in state.channels.count }
    }

    /// Keeps at most so many channels from now on; those that are there stay.
    public func limitChannels(to count: Int) { self.state.withLock { $0.limit = count } }

    /// Looks at all channels for those without webhooks and records, in which nothing has happened since an instant.
    public func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels {
        try self.withState { (state: inout State) throws(StoreError) in
            let quiet = state.channels.filter { $0.value.isQuiet(since: instant) }.keys
            return QuietChannels(names: quiet.filter { other in name.map { $0 < other } ?? true }.sorted(), next: nil)
        }
    }

    /// Removes a channel with all that is kept of it, if it still stands at an offset.
    public func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Offset? {
        try self.withState { (state: inout State) throws(StoreError) in state.remove(channel, at: offset) }
    }

    /// Forgets a channel whole, if it still stands at an offset and has neither webhooks nor records.
    @discardableResult
    public func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        try self.withState { (state: inout State) throws(StoreError) in state.forget(channel, at: offset) }
    }
}
