import Synchronization
package import ToastCore

/// The deliveries that wait for webhooks, in memory.
struct MemoryDeliveryQueue {
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

    /// Delays a delivery; with `resting`, delays all deliveries to its webhook first.
    mutating func move(_ id: DeliveryID, to due: Instant, tries: Int, resting: Instant?) {
        guard let entry = self.entries[id] else { return }
        if let resting {
            for other in self.waiting(for: entry.message.webhook, of: entry.channel) {
                let former = self.entries[other]?.due ?? resting
                self.entries[other]?.due = max(former, resting)
            }
        }
        self.entries[id]?.due = due
        self.entries[id]?.tries += tries
    }
}

extension MemoryStore.State {
    mutating func add(_ delivery: NewDelivery, to channel: ChannelName, atMost count: Int) {
        let webhook = self.channels[channel]?.webhooks.first { $0.url == delivery.webhook }
        guard webhook?.isEnabled == true else { return }
        self.queue.lastID = DeliveryID(rawValue: self.queue.lastID.rawValue + 1)
        self.queue.entries[self.queue.lastID] = MemoryDeliveryQueue.Entry(
            channel: channel,
            message: delivery,
            due: delivery.due
        )
        // With so few deliveries in all, no webhook has too many, and the walk over all of them is saved.
        guard self.queue.entries.count > count else { return }
        for id in self.queue.waiting(for: delivery.webhook, of: channel).dropLast(count) {
            self.queue.entries[id] = nil
            self.queue.displaced += 1
        }
    }
}

extension MemoryStore {
    package var deliveryCounts: DeliveryQueueCounts {
        self.state.withLock { DeliveryQueueCounts(waiting: $0.queue.entries.count, displaced: $0.queue.displaced) }
    }

    @discardableResult
    package func setWebhooks(
        _ webhooks: [Webhook],
        of channel: ChannelName,
        replacing known: [Webhook]?
    ) async throws(StoreError) -> Int {
        try self.withState { (state: inout State) throws(StoreError) in
            let old = state.channels[channel]
            let stored = old?.webhooks ?? []
            if let known, known != stored { throw .conflict(current: old?.bounds.last ?? state.floor) }
            // An unknown channel that gets no webhooks need not be kept.
            if webhooks.isEmpty, old == nil { return 0 }
            let enabled = Set(webhooks.lazy.filter(\.isEnabled).map(\.url))
            var removed = 0
            for old in stored where !enabled.contains(old.url) {
                removed += state.queue.remove(for: old.url, of: channel)
            }
            try state.change(channel) { $0.webhooks = webhooks }
            return removed
        }
    }

    package func dueDeliveries(
        at instant: Instant,
        limit: Int,
        share: DeliveryShare
    ) async throws(StoreError) -> [DueDelivery] {
        try self.withState { state in
            let due = state.queue.entries.filter { $0.value.due <= instant }
            let sorted = due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            var queues: [ChannelName: [WebhookURL: [(due: Instant, delivery: DueDelivery)]]] = [:]
            for (id, entry) in sorted {
                let url = entry.message.webhook
                let webhook = state.channels[entry.channel]?.webhooks.first { $0.url == url }
                let delivery = DueDelivery(id: id, channel: entry.channel, url: url, owner: webhook?.owner ?? "")
                queues[entry.channel, default: [:]][url, default: []].append((entry.due, delivery))
            }
            return share.choose(from: queues.values.flatMap(\.values), limit: limit)
        }
    }

    package func nextDelivery(after now: Instant) async throws(StoreError) -> Instant? {
        try self.withState { $0.queue.entries.values.lazy.map(\.due).filter { $0 > now }.min() }
    }

    package func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery? {
        try self.withState { state in
            guard let entry = state.queue.entries[id],
                let webhook = state.channels[entry.channel]?.webhooks.first(where: { $0.url == entry.message.webhook })
            else { return nil }
            return StoredDelivery(message: entry.message, secret: webhook.secret, tries: entry.tries)
        }
    }

    package func waitingDeliveries(
        for url: WebhookURL,
        of channel: ChannelName,
        limit: Int
    ) async throws(StoreError) -> WaitingDeliveries {
        try self.withState { state in
            let ids = state.queue.waiting(for: url, of: channel)
            let first = ids.prefix(max(limit, 0)).compactMap { state.queue.entries[$0] }.map {
                WaitingDelivery(message: $0.message.message, at: $0.message.at, due: $0.due, tries: $0.tries)
            }
            return WaitingDeliveries(count: ids.count, first: first)
        }
    }

    package func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError) {
        try self.withState { state in
            switch settlement {
            case .done: state.queue.entries[id] = nil
            case .retry(let due, let resting): state.queue.move(id, to: due, tries: 1, resting: resting)
            case .postponed(let due, let resting): state.queue.move(id, to: due, tries: 0, resting: resting)
            }
        }
    }
}
