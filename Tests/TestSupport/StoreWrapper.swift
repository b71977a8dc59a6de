package import ToastCore

/// A store that forwards all calls to another one; conforming types replace some of them.
package protocol StoreWrapper: Store {
    var wrapped: any Store { get }
}

extension EventLog {
    /// Appends to one channel, and returns when it is stored.
    package func append(_ change: Append) async throws(StoreError) {
        let outcome = await withCheckedContinuation { continuation in
            self.append([change]) { continuation.resume(returning: $1) }
        }
        if let error = outcome.error { throw error }
    }
}

extension StoreWrapper {
    package var epoch: Epoch { self.wrapped.epoch }

    package var failure: StoreError? { self.wrapped.failure }

    package var gathersAppends: Bool { self.wrapped.gathersAppends }

    package func append(_ changes: [Append], completion: @escaping @Sendable (Int, AppendOutcome) -> Void) {
        self.wrapped.append(changes, completion: completion)
    }

    package func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel {
        try await self.wrapped.load(channel)
    }

    package func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int,
        bytes: Int
    ) async throws(StoreError) -> History {
        try await self.wrapped.events(of: channel, after: offset, limit: limit, bytes: bytes)
    }

    package func prune(at now: Instant) async throws(StoreError) { try await self.wrapped.prune(at: now) }

    package func close() async { await self.wrapped.close() }
}

// MARK: - IdempotencyStore

extension StoreWrapper {
    package func record(of channel: ChannelName, key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord? {
        try await self.wrapped.record(of: channel, key: key)
    }

    package func outcome(of toast: ToastID, in channel: ChannelName) async throws(StoreError) -> ToastOutcome? {
        try await self.wrapped.outcome(of: toast, in: channel)
    }

    package func recordCounts(of channel: ChannelName) async throws(StoreError) -> [String: Int] {
        try await self.wrapped.recordCounts(of: channel)
    }
}

// MARK: - ChannelDirectory

extension StoreWrapper {
    package func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] {
        try await self.wrapped.channels(after: name, limit: limit)
    }

    package func channelCount() async throws(StoreError) -> Int { try await self.wrapped.channelCount() }

    package func limitChannels(to count: Int) { self.wrapped.limitChannels(to: count) }

    package func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels {
        try await self.wrapped.quietChannels(after: name, since: instant, limit: limit)
    }

    package func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        try await self.wrapped.forget(channel, at: offset)
    }

    package func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Offset? {
        try await self.wrapped.remove(channel, at: offset)
    }
}

// MARK: - DeliveryQueue

extension StoreWrapper {
    package var deliveryCounts: DeliveryQueueCounts { self.wrapped.deliveryCounts }

    package func setWebhooks(
        _ webhooks: [Webhook],
        of channel: ChannelName,
        replacing known: [Webhook]?
    ) async throws(StoreError) -> Int {
        try await self.wrapped.setWebhooks(webhooks, of: channel, replacing: known)
    }

    package func dueDeliveries(
        at instant: Instant,
        limit: Int,
        share: DeliveryShare
    ) async throws(StoreError) -> [DueDelivery] {
        try await self.wrapped.dueDeliveries(at: instant, limit: limit, share: share)
    }

    package func nextDelivery(after now: Instant) async throws(StoreError) -> Instant? {
        try await self.wrapped.nextDelivery(after: now)
    }

    package func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery? {
        try await self.wrapped.delivery(id)
    }

    package func waitingDeliveries(
        for url: WebhookURL,
        of channel: ChannelName,
        limit: Int
    ) async throws(StoreError) -> WaitingDeliveries {
        try await self.wrapped.waitingDeliveries(for: url, of: channel, limit: limit)
    }

    package func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError) {
        try await self.wrapped.settle(id, settlement)
    }
}

// MARK: - CatalogStore, DocumentStore

extension StoreWrapper {
    package func catalogs() async throws(StoreError) -> [LanguageTag: [UInt8]] { try await self.wrapped.catalogs() }

    package func catalogsVersion() async throws(StoreError) -> UInt64? { try await self.wrapped.catalogsVersion() }

    package func changeCatalogs(
        _ changes: [LanguageTag: [UInt8]?],
        ifVersion version: UInt64?
    ) async throws(StoreError) -> Bool {
        try await self.wrapped.changeCatalogs(changes, ifVersion: version)
    }

    package func document(_ name: DocumentName) async throws(StoreError) -> [UInt8]? {
        try await self.wrapped.document(name)
    }

    package func replaceDocument(
        _ name: DocumentName,
        expecting old: [UInt8]?,
        with new: [UInt8]
    ) async throws(StoreError) -> Bool {
        try await self.wrapped.replaceDocument(name, expecting: old, with: new)
    }
}
