import EventLoop
import ToastCore

/// Who is told of a channel's events by HTTP.
struct WebhookState {
    private(set) var webhooks: [Webhook] = []
    /// How often they were changed, so that what was read meanwhile is not taken for news.
    private(set) var changes = 0
    var isChanging = false
    var waiters: [CheckedContinuation<Void, Never>] = []

    mutating func change(to webhooks: [Webhook]) {
        self.webhooks = webhooks
        self.changes += 1
    }

    /// Takes what the store had when so many changes were made.
    mutating func take(_ webhooks: [Webhook], readAt changes: Int) {
        guard changes == self.changes else { return }
        self.webhooks = webhooks
    }
}

extension Channel {
    /// Switches a webhook off, if the channel has it; the number of deliveries that were given up with it.
    func switchOff(_ url: WebhookURL) async throws(ChannelError) -> Int {
        try await self.beginChangingWebhooks()
        defer { self.endChangingWebhooks() }
        var webhooks = self.webhookState.webhooks
        for index in webhooks.indices where webhooks[index].url == url { webhooks[index].isEnabled = false }
        return try await self.store(webhooks)
    }

    /// What webhooks have to be told of events that are about to be stored.
    func deliveries(of events: [Event], _ stored: [StoredEvent]) -> [NewDelivery] {
        guard !self.webhookState.webhooks.isEmpty else { return [] }
        let now = self.context.clock.now
        return zip(events, stored).flatMap { event, stored -> [NewDelivery] in
            let webhooks = self.webhookState.webhooks.filter { $0.isEnabled && $0.events.contains(event.type) }
            guard !webhooks.isEmpty else { return [] }
            let message = CloudEvent(
                event,
                envelope: stored.envelope,
                channel: self.name,
                epoch: self.context.store.epoch
            )
            return webhooks.map {
                NewDelivery(
                    webhook: $0.url,
                    message: message.id,
                    at: event.at,
                    due: min(event.at, now),
                    payload: message.bytes
                )
            }
        }
    }

    /// Replaces the channel's webhooks; secrets that the list leaves open stay, or are drawn.
    ///
    /// - Returns: The webhooks, and those whose secret was drawn.
    func replaceWebhooks(
        with list: WebhookList
    ) async throws(ChannelError) -> (webhooks: [Webhook], fresh: Set<WebhookURL>) {
        let known = self.webhookState.webhooks
        let result = self.loop.withRandomNumbers { list.webhooks(replacing: known, using: &$0) }
        _ = try await self.store(result.webhooks)
        return result
    }

    /// Waits until no other change of the webhooks is under way, so that each one sees what the last one left.
    func beginChangingWebhooks() async throws(ChannelError) {
        try await self.load()
        guard self.webhookState.isChanging else { return self.webhookState.isChanging = true }
        await withCheckedContinuation { self.webhookState.waiters.append($0) }
    }

    func endChangingWebhooks() {
        guard !self.webhookState.waiters.isEmpty else { return self.webhookState.isChanging = false }
        self.webhookState.waiters.removeFirst().resume()
    }

    private func store(_ webhooks: [Webhook]) async throws(ChannelError) -> Int {
        guard webhooks != self.webhookState.webhooks else { return 0 }
        do throws(StoreError) {
            let count = try await self.context.store.setWebhooks(webhooks, of: self.name)
            self.webhookState.change(to: webhooks)
            return count
        } catch {
            throw .unavailable(error)
        }
    }
}
