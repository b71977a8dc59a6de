import Foundation
import GRDB
import ToastCore

extension Ledger {
    /// Adds a delivery to a webhook of a channel, if it has it, and gives up the oldest where too many wait.
    func add(_ delivery: NewDelivery, to channel: Int64, with statements: Statements) throws {
        let url = delivery.webhook.rawValue
        let (at, due) = (delivery.at.nanoseconds, delivery.due.nanoseconds)
        try statements.insertDelivery.execute(
            arguments: [delivery.message, at, due, Data(delivery.payload), channel, url]
        )
        guard self.database.changesCount > 0 else { return }
        try statements.displaceDeliveries.execute(arguments: [channel, url, self.retention.deliveries])
        self.change.waiting += 1 - self.database.changesCount
        self.change.displaced += self.database.changesCount
    }

    /// Replaces the webhooks of a channel and says how many deliveries were removed.
    func setWebhooks(_ webhooks: [Webhook], of channel: Int64, with statements: Statements) throws -> Int {
        let enabled = Set(webhooks.lazy.filter(\.isEnabled).map(\.url))
        let all = Set(webhooks.map(\.url))
        var removed = 0
        for old in try self.database.webhooks(of: channel) {
            if !enabled.contains(old.webhook.url) {
                try statements.removeDeliveries.execute(arguments: [old.id])
                removed += self.database.changesCount
            }
            if !all.contains(old.webhook.url) { try statements.removeWebhook.execute(arguments: [old.id]) }
        }
        for (position, webhook) in webhooks.enumerated() {
            let events = webhook.events.map(\.rawValue).sorted().joined(separator: ",")
            let secret = Data(webhook.secret.bytes)
            try statements.replaceWebhook.execute(
                arguments: [channel, position, webhook.url.rawValue, events, secret, webhook.isEnabled]
            )
        }
        self.change.waiting -= removed
        return removed
    }

    func settle(_ delivery: DeliveryID, _ settlement: Settlement, with statements: Statements) throws {
        switch settlement {
        case .done:
            try statements.removeDelivery.execute(arguments: [delivery.rawValue])
            self.change.waiting -= self.database.changesCount
        case .retry(let due, let resting):
            if let until = resting?.nanoseconds {
                try statements.rest.execute(arguments: [until, delivery.rawValue, until])
            }
            try statements.moveDelivery.execute(arguments: [1, due.nanoseconds, delivery.rawValue])
        case .postponed(let due):
            try statements.moveDelivery.execute(arguments: [0, due.nanoseconds, delivery.rawValue])
        }
    }
}

extension Database {
    /// The webhooks of a channel in their order, each with the number of its row.
    func webhooks(of channel: Int64) throws -> [(id: Int64, webhook: Webhook)] {
        let statement = try self.cachedStatement(sql: Query.webhooks.rawValue)
        return try Row.fetchAll(statement, arguments: [channel]).map { row in
            let events: String = row[2]
            guard let url = WebhookURL(rawValue: row[1]), let secret = WebhookSecret(bytes: try row.bytes(at: 3)) else {
                throw StoreError.corrupt("A webhook has a URL or a secret that is none.")
            }
            let types = events.split(separator: ",").compactMap { EventType(rawValue: String($0)) }
            return (row[0], Webhook(url: url, events: Set(types), secret: secret, isEnabled: row[4]))
        }
    }

    /// Walks over what is due until there is enough of it; a window function would sort all of it first.
    func dueDeliveries(at now: Instant, limit: Int, share: Int) throws -> [DueDelivery] {
        var found: [DueDelivery] = []
        var counts: [Int64: Int] = [:]
        let rows = try Row.fetchCursor(
            try self.cachedStatement(sql: Query.dueDeliveries.rawValue),
            arguments: [now.nanoseconds]
        )
        while found.count < limit, let row = try rows.next() {
            guard let channel = ChannelName(rawValue: row[1]), let url = WebhookURL(rawValue: row[2]) else {
                throw StoreError.corrupt("A delivery has a channel or a URL that is none.")
            }
            counts[row[3], default: 0] += 1
            guard counts[row[3], default: 0] <= share else { continue }
            found.append(DueDelivery(id: DeliveryID(rawValue: row[0]), channel: channel, url: url))
        }
        return found
    }

    func nextDelivery(after now: Instant) throws -> Instant? {
        let statement = try self.cachedStatement(sql: Query.nextDelivery.rawValue)
        return try Int64.fetchOne(statement, arguments: [now.nanoseconds]).map(Instant.init(nanoseconds:))
    }

    func delivery(_ id: DeliveryID) throws -> StoredDelivery? {
        let statement = try self.cachedStatement(sql: Query.delivery.rawValue)
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
