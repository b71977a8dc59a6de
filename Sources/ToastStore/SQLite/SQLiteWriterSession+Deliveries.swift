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

    func settle(_ delivery: DeliveryID, _ settlement: Settlement) throws -> Outcome {
        switch settlement {
        case .done:
            try self.execute(.removeDelivery, [delivery.rawValue])
            self.newCounts.waiting -= self.database.changesCount
        case .retry(let due, let resting):
            try self.move(delivery, to: due, tries: 1, resting: resting)
        case .postponed(let due, let resting):
            try self.move(delivery, to: due, tries: 0, resting: resting)
        }
        return .success(0)
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
}
