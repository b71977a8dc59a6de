public import ToastCore

extension SQLiteStore {
    /// How full the outbox is now.
    public var outbox: OutboxCounts { self.tally.counts }

    /// Replaces the webhooks of a channel, and removes what waits for those that are no longer there or switched off.
    @discardableResult
    public func setWebhooks(_ webhooks: [Webhook], of channel: ChannelName) async throws(StoreError) -> Int {
        try await self.writer.perform(.setWebhooks(webhooks, channel))
    }

    /// The deliveries that are due at an instant, those first that have been due longest.
    public func dueDeliveries(
        at now: Instant,
        limit: Int,
        share: DeliveryShare
    ) async throws(StoreError) -> [DueDelivery] {
        try await self.read { try $0.dueDeliveries(at: now, limit: limit, share: share) }
    }

    /// When the next delivery is due that is not due yet; `nil` when none waits.
    public func nextDelivery(after now: Instant) async throws(StoreError) -> Instant? {
        try await self.read { try $0.nextDelivery(after: now) }
    }

    /// A delivery; `nil` when it has left the outbox.
    public func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery? {
        try await self.read { try $0.delivery(id) }
    }

    /// What waits for a webhook of a channel, oldest first.
    public func waitingDeliveries(
        for url: WebhookURL,
        of channel: ChannelName,
        limit: Int
    ) async throws(StoreError) -> WaitingDeliveries {
        try await self.read { try $0.waitingDeliveries(for: url, of: channel, limit: limit) }
    }

    /// Says what became of a delivery, and returns after that was committed.
    public func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError) {
        _ = try await self.writer.perform(.settle(id, settlement))
    }
}
