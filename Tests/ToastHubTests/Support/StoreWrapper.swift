import ToastCore

/// A store that forwards all calls to another one; conforming types replace some of them.
protocol StoreWrapper: Store {
    var wrapped: any Store { get }
}

extension EventLog {
    /// Appends to one channel, and returns when it is stored.
    func append(_ change: Append) async throws(StoreError) {
        let outcome = await withCheckedContinuation { continuation in
            self.append([change]) { continuation.resume(returning: $1) }
        }
        if let error = outcome.error { throw error }
    }
}

extension StoreWrapper {
    var epoch: Epoch { self.wrapped.epoch }

    var failure: StoreError? { self.wrapped.failure }

    var gathersAppends: Bool { self.wrapped.gathersAppends }

    func append(_ changes: [Append], completion: @escaping @Sendable (Int, AppendOutcome) -> Void) {
        self.wrapped.append(changes, completion: completion)
    }

    func onAppendByOthers(_ observer: @escaping @Sendable (ChannelName, Offset) -> Void) {
        self.wrapped.onAppendByOthers(observer)
    }

    func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel {
        try await self.wrapped.load(channel)
    }

    func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int,
        bytes: Int
    ) async throws(StoreError) -> History {
        try await self.wrapped.events(of: channel, after: offset, limit: limit, bytes: bytes)
    }

    func prune(at now: Instant) async throws(StoreError) { try await self.wrapped.prune(at: now) }

    func close() async { await self.wrapped.close() }
}

// MARK: - IdempotencyStore

extension StoreWrapper {
    func record(of channel: ChannelName, key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord? {
        try await self.wrapped.record(of: channel, key: key)
    }

    func outcome(of toast: ToastID, in channel: ChannelName) async throws(StoreError) -> ToastOutcome? {
        try await self.wrapped.outcome(of: toast, in: channel)
    }

    func recordCounts(of channel: ChannelName) async throws(StoreError) -> [String: Int] {
        try await self.wrapped.recordCounts(of: channel)
    }
}

// MARK: - ChannelDirectory

extension StoreWrapper {
    func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] {
        try await self.wrapped.channels(after: name, limit: limit)
    }

    func channelCount() async throws(StoreError) -> Int { try await self.wrapped.channelCount() }

    func limitChannels(to count: Int) { self.wrapped.limitChannels(to: count) }

    func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels {
        try await self.wrapped.quietChannels(after: name, since: instant, limit: limit)
    }

    func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        try await self.wrapped.forget(channel, at: offset)
    }

    func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Offset? {
        try await self.wrapped.remove(channel, at: offset)
    }
}

// MARK: - DeliveryQueue

extension StoreWrapper {
    var deliveryCounts: DeliveryQueueCounts { self.wrapped.deliveryCounts }

    func setWebhooks(_ webhooks: [Webhook], of channel: ChannelName) async throws(StoreError) -> Int {
        try await self.wrapped.setWebhooks(webhooks, of: channel)
    }

    func dueDeliveries(
        at instant: Instant,
        limit: Int,
        share: DeliveryShare
    ) async throws(StoreError) -> [DueDelivery] {
        try await self.wrapped.dueDeliveries(at: instant, limit: limit, share: share)
    }

    func nextDelivery(after now: Instant) async throws(StoreError) -> Instant? {
        try await self.wrapped.nextDelivery(after: now)
    }

    func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery? {
        try await self.wrapped.delivery(id)
    }

    func waitingDeliveries(
        for url: WebhookURL,
        of channel: ChannelName,
        limit: Int
    ) async throws(StoreError) -> WaitingDeliveries {
        try await self.wrapped.waitingDeliveries(for: url, of: channel, limit: limit)
    }

    func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError) {
        try await self.wrapped.settle(id, settlement)
    }
}

// MARK: - CatalogStore, DocumentStore

extension StoreWrapper {
    func catalogs() async throws(StoreError) -> [StoredCatalog] { try await self.wrapped.catalogs() }

    func catalogsVersion() async throws(StoreError) -> UInt64? { try await self.wrapped.catalogsVersion() }

    func changeCatalogs(_ changes: [CatalogChange], ifVersion version: UInt64?) async throws(StoreError) -> Bool {
        try await self.wrapped.changeCatalogs(changes, ifVersion: version)
    }

    func document(_ name: DocumentName) async throws(StoreError) -> [UInt8]? { try await self.wrapped.document(name) }

    func replaceDocument(
        _ name: DocumentName,
        expecting old: [UInt8]?,
        with new: [UInt8]
    ) async throws(StoreError) -> Bool {
        try await self.wrapped.replaceDocument(name, expecting: old, with: new)
    }
}
