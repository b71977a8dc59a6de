import Synchronization
public import ToastCore

extension SQLiteStore {
    /// How full the outbox is now.
    public var outbox: OutboxCounts { self.tally.counts }

    /// Replaces the webhooks of a channel, and removes what waits for those that are no longer there or switched off.
    @discardableResult
    public func setWebhooks(_ webhooks: [Webhook], of channel: ChannelName) async throws(StoreError) -> Int {
        try await self.writer.perform(.setWebhooks(webhooks, channel))
    }

    /// Claims deliveries that are due and that no other claimer has, longest due first.
    public func claimDeliveries(
        _ claim: DeliveryClaim,
        dueAt instant: Instant,
        limit: Int,
        share: DeliveryShare
    ) async throws(StoreError) -> [DueDelivery] {
        let taken = self.claims.withLock { $0.taken(from: claim) }
        let due = try await self.read { try $0.dueDeliveries(at: instant, but: taken, limit: limit, share: share) }
        return self.claims.withLock { $0.take(due, for: claim) }
    }

    /// Gives back all that a claimer has claimed.
    public func releaseDeliveries(of claimer: DeliveryClaimer) async throws(StoreError) {
        self.claims.withLock { $0.release(of: claimer) }
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
        self.claims.withLock { $0.end(id) }
    }
}
