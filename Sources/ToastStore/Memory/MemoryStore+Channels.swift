import Synchronization
package import ToastCore

extension MemoryStore.Channel {
    /// Whether the channel has webhooks or records.
    fileprivate var isNeeded: Bool { !self.webhooks.isEmpty || !self.records.isEmpty }

    /// Whether forgetting it would lose nothing, and nothing has happened in it since an instant.
    fileprivate func isQuiet(since instant: Instant) -> Bool {
        !self.isNeeded && self.lastInstant.map { $0 < instant } ?? true
    }
}

extension MemoryStore {
    package func channelCount() async throws(StoreError) -> Int {
        try self.withState { $0.channels.count }
    }

    package func limitChannels(to count: Int) { self.state.withLock { $0.limit = count } }

    /// The channels without webhooks and records in which nothing has happened since an instant; looks at all channels.
    package func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels {
        try self.withState { state in
            let quiet = state.channels.filter { $0.value.isQuiet(since: instant) }.keys
            return QuietChannels(names: quiet.filter { other in name.map { $0 < other } ?? true }.sorted(), next: nil)
        }
    }

    package func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Offset? {
        try self.withState { state in
            guard let known = state.channels[channel] else { return state.floor }
            guard known.bounds.accepts(offset) else { return nil }
            for webhook in known.webhooks { _ = state.queue.remove(for: webhook.url, of: channel) }
            if !known.bounds.isFresh { state.floor = max(state.floor, known.bounds.last.next) }
            state.channels[channel] = nil
            return state.floor
        }
    }

    @discardableResult
    package func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        try self.withState { state in
            guard let known = state.channels[channel], known.bounds.accepts(offset), !known.isNeeded else {
                return false
            }
            state.floor = max(state.floor, known.bounds.last)
            state.channels[channel] = nil
            return true
        }
    }
}
