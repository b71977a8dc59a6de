public import ToastCore

extension Channel {
    /// The channel's webhooks, in their order.
    public func webhooks() async throws(ChannelError) -> [Webhook] {
        try await self.load()
        return self.webhooks
    }

    /// Replaces the channel's webhooks; returns when they are stored.
    ///
    /// - Parameter list: What they are to be; secrets that it leaves open stay, or are drawn.
    /// - Returns: The webhooks, and which of them have a secret that their owner has to be told.
    /// - Throws: `unavailable` when nothing could be stored.
    public func replaceWebhooks(
        with list: WebhookList
    ) async throws(ChannelError) -> (webhooks: [Webhook], fresh: Set<WebhookURL>) {
        try await self.beginChangingWebhooks()
        defer { self.endChangingWebhooks() }
        var random = SystemRandomNumberGenerator()
        let result = list.webhooks(replacing: self.webhooks, using: &random)
        _ = try await self.store(result.webhooks)
        return result
    }

    /// Switches a webhook off, if the channel has it; the number of deliveries that were given up with it.
    func switchOff(_ url: WebhookURL) async throws(ChannelError) -> Int {
        try await self.beginChangingWebhooks()
        defer { self.endChangingWebhooks() }
        var webhooks = self.webhooks
        for index in webhooks.indices where webhooks[index].url == url { webhooks[index].isEnabled = false }
        return try await self.store(webhooks)
    }

    /// What webhooks have to be told of events that are about to be stored.
    func deliveries(of events: [Event], _ stored: [StoredEvent]) -> [NewDelivery] {
        guard !self.webhooks.isEmpty else { return [] }
        return zip(events, stored).flatMap { event, stored -> [NewDelivery] in
            let webhooks = self.webhooks.filter { $0.isEnabled && $0.events.contains(event.type) }
            guard !webhooks.isEmpty else { return [] }
            let message = CloudEvent(
                event,
                envelope: stored.envelope,
                channel: self.name,
                epoch: self.store.epoch
            )
            return webhooks.map {
                NewDelivery(webhook: $0.url, message: message.id, at: event.at, payload: message.bytes)
            }
        }
    }

    /// Waits until no other change of the webhooks is under way, so that each one sees what the last one left.
    private func beginChangingWebhooks() async throws(ChannelError) {
        try await self.load()
        guard self.isChangingWebhooks else { return self.isChangingWebhooks = true }
        await withCheckedContinuation { self.webhookWaiters.append($0) }
    }

    private func endChangingWebhooks() {
        guard !self.webhookWaiters.isEmpty else { return self.isChangingWebhooks = false }
        self.webhookWaiters.removeFirst().resume()
    }

    private func store(_ webhooks: [Webhook]) async throws(ChannelError) -> Int {
        guard webhooks != self.webhooks else { return 0 }
        do throws(StoreError) {
            let count = try await self.store.setWebhooks(webhooks, of: self.name)
            self.webhooks = webhooks
            self.webhookChanges += 1
            return count
        } catch {
            throw .unavailable(error)
        }
    }
}
