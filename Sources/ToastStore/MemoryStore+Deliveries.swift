import Synchronization
public import ToastCore

/// What waits for webhooks, in memory.
struct MemoryOutbox {
    struct Entry {
        let channel: ChannelName
        let message: NewDelivery
        var due: Instant
        var tries = 0
    }

    var entries: [DeliveryID: Entry] = [:]
    var lastID = DeliveryID(rawValue: 0)
    var displaced = 0

    func waiting(for url: WebhookURL, of channel: ChannelName) -> [DeliveryID] {
        self.entries.filter { $0.value.channel == channel && $0.value.message.webhook == url }.keys.sorted()
    }

    mutating func remove(for url: WebhookURL, of channel: ChannelName) -> Int {
        let ids = self.waiting(for: url, of: channel)
        for id in ids { self.entries[id] = nil }
        return ids.count
    }
}

extension MemoryStore.State {
    mutating func add(_ delivery: NewDelivery, to channel: ChannelName, atMost count: Int) {
        let webhook = self.channels[channel]?.webhooks.first { $0.url == delivery.webhook }
        guard webhook?.isEnabled == true else { return }
        self.outbox.lastID = DeliveryID(rawValue: self.outbox.lastID.rawValue + 1)
        self.outbox.entries[self.outbox.lastID] = MemoryOutbox.Entry(
            channel: channel,
            message: delivery,
            due: delivery.due
        )
        // Nothing waits longer than a moment as a rule: to count is only dear when the outbox is.
        guard self.outbox.entries.count > count else { return }
        for id in self.outbox.waiting(for: delivery.webhook, of: channel).dropLast(count) {
            self.outbox.entries[id] = nil
            self.outbox.displaced += 1
        }
    }

    mutating func setWebhooks(_ webhooks: [Webhook], of channel: ChannelName) throws(StoreError) -> Int {
        if self.channels[channel] == nil {
            // To have none is nothing that a channel has to be kept for.
            guard !webhooks.isEmpty else { return 0 }
            try self.add(channel)
        }
        let enabled = Set(webhooks.lazy.filter(\.isEnabled).map(\.url))
        var removed = 0
        for old in self.channels[channel]?.webhooks ?? [] where !enabled.contains(old.url) {
            removed += self.outbox.remove(for: old.url, of: channel)
        }
        self.channels[channel]?.webhooks = webhooks
        return removed
    }

    mutating func settle(_ id: DeliveryID, _ settlement: Settlement) {
        self.claims.end(id)
        guard let entry = self.outbox.entries[id] else { return }
        switch settlement {
        case .done:
            self.outbox.entries[id] = nil
        case .retry(let due, let resting):
            self.rest(until: resting, with: entry)
            self.outbox.entries[id]?.due = due
            self.outbox.entries[id]?.tries += 1
        case .postponed(let due, let resting):
            self.rest(until: resting, with: entry)
            self.outbox.entries[id]?.due = due
        }
    }

    /// Has all wait that goes where a delivery went.
    private mutating func rest(until instant: Instant?, with entry: MemoryOutbox.Entry) {
        guard let instant else { return }
        for other in self.outbox.waiting(for: entry.message.webhook, of: entry.channel) {
            let later = max(self.outbox.entries[other]?.due ?? instant, instant)
            self.outbox.entries[other]?.due = later
        }
    }
}

extension MemoryStore {
    /// How full the outbox is now.
    public var outbox: OutboxCounts {
        self.state.withLock { OutboxCounts(waiting: $0.outbox.entries.count, displaced: $0.outbox.displaced) }
    }

    /// Replaces the webhooks of a channel, and removes what waits for those that are no longer there or switched off.
    @discardableResult
    public func setWebhooks(_ webhooks: [Webhook], of channel: ChannelName) async throws(StoreError) -> Int {
        try self.withState { (state: inout State) throws(StoreError) in try state.setWebhooks(webhooks, of: channel) }
    }

    /// Claims deliveries that are due and that no other claimer has, longest due first.
    public func claimDeliveries(
        _ claim: DeliveryClaim,
        dueAt instant: Instant,
        limit: Int,
        share: DeliveryShare
    ) async throws(StoreError) -> [DueDelivery] {
        try self.withState { (state: inout State) throws(StoreError) in
            let taken = state.claims.taken(from: claim)
            let due = state.outbox.entries.filter { $0.value.due <= instant && !taken.contains($0.key) }
            let sorted = due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            var queues: [ChannelName: [WebhookURL: [(due: Instant, delivery: DueDelivery)]]] = [:]
            for (id, entry) in sorted {
                let url = entry.message.webhook
                let webhook = state.channels[entry.channel]?.webhooks.first { $0.url == url }
                let delivery = DueDelivery(id: id, channel: entry.channel, url: url, owner: webhook?.owner ?? "")
                queues[entry.channel, default: [:]][url, default: []].append((entry.due, delivery))
            }
            return state.claims.take(share.choose(from: queues.values.flatMap(\.values), limit: limit), for: claim)
        }
    }

    /// Gives back all that a claimer has claimed.
    public func releaseDeliveries(of claimer: DeliveryClaimer) async throws(StoreError) {
        try self.withState { (state: inout State) throws(StoreError) in state.claims.release(of: claimer) }
    }

    /// When the next delivery is due that is not due yet; `nil` when none waits.
    public func nextDelivery(after now: Instant) async throws(StoreError) -> Instant? {
        try self.withState { (state: inout State) throws(StoreError) in
            state.outbox.entries.values.lazy.map(\.due).filter { $0 > now }.min()
        }
    }

    /// A delivery; `nil` when it has left the outbox.
    public func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery? {
        try self.withState { (state: inout State) throws(StoreError) in
            guard let entry = state.outbox.entries[id],
                let webhook = state.channels[entry.channel]?.webhooks.first(where: { $0.url == entry.message.webhook })
            else { return nil }
            return StoredDelivery(message: entry.message, secret: webhook.secret, tries: entry.tries)
        }
    }

    /// What waits for a webhook of a channel, oldest first.
    public func waitingDeliveries(
        for url: WebhookURL,
        of channel: ChannelName,
        limit: Int
    ) async throws(StoreError) -> WaitingDeliveries {
        try self.withState { (state: inout State) throws(StoreError) in
            let ids = state.outbox.waiting(for: url, of: channel)
            let first = ids.prefix(max(limit, 0)).compactMap { state.outbox.entries[$0] }.map {
                WaitingDelivery(message: $0.message.message, at: $0.message.at, due: $0.due, tries: $0.tries)
            }
            return WaitingDeliveries(count: ids.count, first: first)
        }
    }

    /// Says what became of a delivery; nothing happens when it has left the outbox.
    public func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError) {
        try self.withState { (state: inout State) throws(StoreError) in state.settle(id, settlement) }
    }
}
