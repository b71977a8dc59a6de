package import ToastCore

extension SQLiteStore {
    /// How many deliveries wait and how many were given up.
    package var deliveryCounts: DeliveryQueueCounts {
        let counts = self.counts.values
        return DeliveryQueueCounts(waiting: counts.waiting, displaced: counts.displaced)
    }

    /// Replaces the webhooks of a channel; removes the deliveries to those that are gone or switched off.
    @discardableResult
    package func setWebhooks(_ webhooks: [Webhook], of channel: ChannelName) async throws(StoreError) -> Int {
        try await self.writer.perform(.setWebhooks(webhooks, channel))
    }

    /// The deliveries that are due, longest due first.
    package func dueDeliveries(
        at instant: Instant,
        limit: Int,
        share: DeliveryShare
    ) async throws(StoreError) -> [DueDelivery] {
        try await self.read { try $0.dueDeliveries(at: instant, limit: limit, share: share) }
    }

    /// When the next delivery becomes due; `nil` when none waits.
    package func nextDelivery(after now: Instant) async throws(StoreError) -> Instant? {
        try await self.read { try $0.nextDelivery(after: now) }
    }

    /// A delivery; `nil` when it has left the queue.
    package func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery? {
        try await self.read { try $0.delivery(id) }
    }

    /// The deliveries that wait for a webhook of a channel, oldest first.
    package func waitingDeliveries(
        for url: WebhookURL,
        of channel: ChannelName,
        limit: Int
    ) async throws(StoreError) -> WaitingDeliveries {
        try await self.read { try $0.waitingDeliveries(for: url, of: channel, limit: limit) }
    }

    /// Stores the outcome of a delivery, and returns after the commit.
    package func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError) {
        _ = try await self.writer.perform(.settle(id, settlement))
    }
}
