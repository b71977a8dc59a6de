import Foundation
import GRDB
import ToastCore

extension SQLiteWriterSession {
    /// Adds a delivery to a webhook that the channel has, and gives up the oldest ones if too many wait.
    func add(_ delivery: NewDelivery, to channel: Int64) throws {
        let url = delivery.webhook.rawValue
        let (at, due) = (delivery.at.nanoseconds, delivery.due.nanoseconds)
        try self.execute(.insertDelivery, [delivery.message, at, due, Data(delivery.payload), channel, url])
        guard self.database.changesCount > 0 else { return }
        try self.execute(.displaceDeliveries, [channel, url, self.retention.deliveries])
        self.newCounts.waiting += 1 - self.database.changesCount
        self.newCounts.displaced += self.database.changesCount
    }

    /// Replaces the webhooks of a channel; returns the number of removed deliveries.
    func setWebhooks(_ webhooks: [Webhook], of channel: Int64) throws -> Int {
        let enabled = Set(webhooks.lazy.filter(\.isEnabled).map(\.url))
        let all = Set(webhooks.map(\.url))
        var removed = 0
        for old in try self.database.webhooks(of: channel) {
            if !enabled.contains(old.webhook.url) {
                try self.execute(.removeDeliveries, [old.id])
                removed += self.database.changesCount
            }
            if !all.contains(old.webhook.url) { try self.execute(.removeWebhook, [old.id]) }
        }
        for (position, webhook) in webhooks.enumerated() {
            let events = webhook.events.map(\.rawValue).sorted().joined(separator: ",")
            let secret = Data(webhook.secret.bytes)
            try self.execute(
                .replaceWebhook,
                [channel, position, webhook.url.rawValue, events, secret, webhook.isEnabled, webhook.owner]
            )
        }
        self.newCounts.waiting -= removed
        return removed
    }

    func settle(_ delivery: DeliveryID, _ settlement: Settlement) throws {
        switch settlement {
        case .done:
            try self.execute(.removeDelivery, [delivery.rawValue])
            self.newCounts.waiting -= self.database.changesCount
        case .retry(let due, let resting):
            try self.move(delivery, to: due, tries: 1, resting: resting)
        case .postponed(let due, let resting):
            try self.move(delivery, to: due, tries: 0, resting: resting)
        }
    }

    private func move(_ delivery: DeliveryID, to due: Instant, tries: Int, resting: Instant?) throws {
        if let until = resting?.nanoseconds { try self.execute(.rest, [until, delivery.rawValue, until]) }
        try self.execute(.moveDelivery, [tries, due.nanoseconds, delivery.rawValue])
    }
}

extension Database {
    /// The webhooks of a channel in order, each with the id of its row.
    func webhooks(of channel: Int64) throws -> [(id: Int64, webhook: Webhook)] {
        let statement = try self.statement(.webhooks)
        return try Row.fetchAll(statement, arguments: [channel]).map { row in
            let events: String = row[2]
            guard let url = WebhookURL(rawValue: row[1]), let secret = WebhookSecret(bytes: try row.bytes(at: 3)) else {
                throw StoreError.corrupt("A webhook has a URL or a secret that is none.")
            }
            let types = events.split(separator: ",").compactMap { EventType(rawValue: String($0)) }
            let webhook = Webhook(url: url, events: Set(types), secret: secret, isEnabled: row[4], owner: row[5])
            return (row[0], webhook)
        }
    }

    /// Reads webhook by webhook, so that thousands of deliveries to one webhook are not walked over.
    func dueDeliveries(at now: Instant, limit: Int, share: DeliveryShare) throws -> [DueDelivery] {
        let next = try self.statement(.waitingWebhook)
        let due = try self.statement(.dueDeliveries)
        var queues: [[(due: Instant, delivery: DueDelivery)]] = []
        var last = Int64.min
        while let webhook = try Row.fetchOne(next, arguments: [last]) {
            last = webhook[0]
            guard let channel = ChannelName(rawValue: webhook[1]), let url = WebhookURL(rawValue: webhook[2]) else {
                throw StoreError.corrupt("A delivery has a channel or a URL that is none.")
            }
            let (owner, rows): (String, _) = (
                webhook[3], try Row.fetchCursor(due, arguments: [last, now.nanoseconds])
            )
            var queue: [(due: Instant, delivery: DueDelivery)] = []
            while queue.count < share.webhook, let row = try rows.next() {
                let id = DeliveryID(rawValue: row[0])
                let delivery = DueDelivery(id: id, channel: channel, url: url, owner: owner)
                queue.append((Instant(nanoseconds: row[1]), delivery))
            }
            if !queue.isEmpty { queues.append(queue) }
        }
        return share.choose(from: queues, limit: limit)
    }

    func waitingDeliveries(for url: WebhookURL, of channel: ChannelName, limit: Int) throws -> WaitingDeliveries {
        let webhook = try self.statement(.webhook)
        guard let id = try Int64.fetchOne(webhook, arguments: [channel.rawValue, url.rawValue]) else {
            return WaitingDeliveries(count: 0, first: [])
        }
        let count = try Int.fetchOne(self.statement(.countDeliveries), arguments: [id])
        let first = try self.statement(.waitingDeliveries)
        let rows = try Row.fetchAll(first, arguments: [id, max(limit, 0)])
        return WaitingDeliveries(
            count: count ?? 0,
            first: rows.map { row in
                WaitingDelivery(
                    message: row[0],
                    at: Instant(nanoseconds: row[1]),
                    due: Instant(nanoseconds: row[2]),
                    tries: row[3]
                )
            }
        )
    }

    func nextDelivery(after now: Instant) throws -> Instant? {
        let statement = try self.statement(.nextDelivery)
        return try Int64.fetchOne(statement, arguments: [now.nanoseconds]).map(Instant.init(nanoseconds:))
    }

    func delivery(_ id: DeliveryID) throws -> StoredDelivery? {
        let statement = try self.statement(.delivery)
        guard let row = try Row.fetchOne(statement, arguments: [id.rawValue]) else { return nil }
        guard let url = WebhookURL(rawValue: row[0]), let secret = WebhookSecret(bytes: try row.bytes(at: 1)) else {
            throw StoreError.corrupt("A webhook has a URL or a secret that is none.")
        }
        let message = NewDelivery(
            webhook: url,
            message: row[2],
            at: Instant(nanoseconds: row[3]),
            payload: try row.bytes(at: 5)
        )
        return StoredDelivery(message: message, secret: secret, tries: row[4])
    }
}
