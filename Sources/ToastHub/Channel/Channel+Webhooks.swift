import EventLoop
import ToastCore

/// The webhooks of a channel, and a lock for their changes.
struct WebhookState {
    private(set) var webhooks: [Webhook] = []
    /// The number of changes, to detect that a value read from the store is outdated.
    private(set) var changes = 0
    /// Whether the last change may be stored in part: other webhooks than these, or deliveries to former ones.
    private(set) var isUncertain = false
    /// Held during a change of the webhooks or settings; made by the first one, because most channels have none.
    private(set) lazy var lock = TaskLock()

    /// Ends a change, and begins the next one that waits.
    mutating func end() { self.lock.unlock() }

    /// Notes a change that is stored as a whole.
    mutating func change(to webhooks: [Webhook]) {
        self.webhooks = webhooks
        self.changes += 1
        self.isUncertain = false
    }

    /// Notes that a change may be stored in part although it failed, or that another process has made one.
    mutating func doubt() {
        self.changes += 1
        self.isUncertain = true
    }

    /// Takes the webhooks from the store, unless they were changed after the read began.
    mutating func take(_ webhooks: [Webhook], readAt changes: Int) {
        if changes == self.changes { self.webhooks = webhooks }
    }
}

extension Channel {
    /// Disables a webhook, if the channel has it; returns the number of deliveries that were given up with it.
    @inline(never)
    func switchOff(_ url: WebhookURL) async throws(ChannelError) -> Int {
        try await self.beginChangingConfiguration()
        defer { self.webhookState.end() }
        var webhooks = self.webhookState.webhooks
        for index in webhooks.indices where webhooks[index].url == url { webhooks[index].isEnabled = false }
        return try await self.store(webhooks)
    }

    /// The deliveries for events that are about to be stored.
    func deliveries(of events: [Event], _ stored: [StoredEvent]) -> [NewDelivery] {
        guard !self.webhookState.webhooks.isEmpty else { return [] }
        let now = self.context.clock.now
        return zip(events, stored).flatMap { event, stored -> [NewDelivery] in
            let webhooks = self.webhookState.webhooks.filter { $0.isEnabled && $0.events.contains(event.type) }
            guard !webhooks.isEmpty else { return [] }
            let message = CloudEvent(event, envelope: stored.envelope, channel: self.name, epoch: self.context.epoch)
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

    /// Replaces the channel's webhooks; a webhook without a secret in the list keeps its old one, or gets a new one.
    ///
    /// - Returns: The webhooks, and those with a new secret.
    func replaceWebhooks(
        with list: WebhookList
    ) async throws(ChannelError) -> (webhooks: [Webhook], fresh: Set<WebhookURL>) {
        let known = self.webhookState.webhooks
        let result = list.webhooks(replacing: known)
        _ = try await self.store(result.webhooks)
        for webhook in result.webhooks where !known.contains(webhook) {
            self.context.changedWebhooks.note(Receiver(channel: self.name, url: webhook.url))
        }
        return result
    }

    /// Waits until no other change of the settings or webhooks, and no deletion, is under way, so that each sees the
    /// result of the previous one.
    ///
    /// - Throws: `store` when the state cannot be read, or another process decides for the channel; then no change has
    ///   begun.
    func beginChangingConfiguration() async throws(ChannelError) {
        try await self.load()
        let lock = self.webhookState.lock
        await lock.lock()
        do throws(StoreError) {
            guard self.serves else { throw self.lostChannel }
            if self.webhookState.isUncertain {
                let changes = self.webhookState.changes
                self.webhookState.take(try await self.context.store.load(self.name).webhooks, readAt: changes)
            }
        } catch {
            self.webhookState.end()
            throw .store(error)
        }
    }

    private func store(_ webhooks: [Webhook]) async throws(ChannelError) -> Int {
        let known = self.webhookState.webhooks
        // The same request completes a change that is stored in part.
        guard webhooks != known || self.webhookState.isUncertain else { return 0 }
        do throws(StoreError) {
            let count = try await self.context.store.setWebhooks(webhooks, of: self.name, replacing: known)
            self.webhookState.change(to: webhooks)
            return count
        } catch {
            switch error {
            case .conflict, .undecided:
                self.webhookState.doubt()
                self.reload(knowing: nil)
            case .unavailable, .corrupt, .tooManyChannels:
                break
            }
            throw .store(error)
        }
    }
}
