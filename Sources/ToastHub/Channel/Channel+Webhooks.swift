import EventLoop
public import ToastCore

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

/// What a channel sets for itself, and who is told of its events.
public struct Configuration: Sendable {
    /// The channel's own settings.
    public let settings: Settings

    /// Its webhooks, in their order.
    public let webhooks: [Webhook]

    /// The webhooks that have a secret of which their owner has to be told.
    public var fresh: Set<WebhookURL> = []
}

extension Channel {
    /// The channel's webhooks, in their order.
    public func webhooks() async throws(ChannelError) -> [Webhook] {
        try await self.load()
        return self.webhookState.webhooks
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
        return try await self.replace(with: list)
    }

    /// Changes the channel's own settings and its webhooks; no other change of either comes in between.
    ///
    /// - Parameters:
    ///   - list: What the webhooks are to be; nil to leave them alone.
    ///   - change: Makes the new settings from the old ones, and sees the old webhooks; what it throws stops the change.
    /// - Returns: What the channel has now, or what the change threw.
    /// - Throws: `unavailable` when not all could be stored; the same request completes it then.
    public func configure<Failure: Error>(
        _ list: WebhookList?,
        _ change: @Sendable (Settings, [Webhook]) throws(Failure) -> Settings
    ) async throws(ChannelError) -> Result<Configuration, Failure> {
        try await self.beginChangingWebhooks()
        defer { self.endChangingWebhooks() }
        let known = self.webhookState.webhooks
        let settings: Settings
        switch try await self.configure({ settings throws(Failure) in try change(settings, known) }) {
        case .success(let value): settings = value
        case .failure(let error): return .failure(error)
        }
        guard let list else { return .success(Configuration(settings: settings, webhooks: known)) }
        let (webhooks, fresh) = try await self.replace(with: list)
        return .success(Configuration(settings: settings, webhooks: webhooks, fresh: fresh))
    }

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

    private func replace(
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
