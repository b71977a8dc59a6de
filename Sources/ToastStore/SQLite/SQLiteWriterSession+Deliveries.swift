import Foundation
import GRDB
import ToastCore

extension SQLiteWriterSession {
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
                arguments: [channel, position, webhook.url.rawValue, events, secret, webhook.isEnabled, webhook.owner]
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
            try self.rest(until: resting, for: delivery, with: statements)
            try statements.moveDelivery.execute(arguments: [1, due.nanoseconds, delivery.rawValue])
        case .postponed(let due, let resting):
            try self.rest(until: resting, for: delivery, with: statements)
            try statements.moveDelivery.execute(arguments: [0, due.nanoseconds, delivery.rawValue])
        }
    }

    private func rest(until instant: Instant?, for delivery: DeliveryID, with statements: Statements) throws {
        guard let until = instant?.nanoseconds else { return }
        try statements.rest.execute(arguments: [until, delivery.rawValue, until])
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
            let webhook = Webhook(url: url, events: Set(types), secret: secret, isEnabled: row[4], owner: row[5])
            return (row[0], webhook)
        }
    }

    /// Goes from webhook to webhook: what one waits for in thousands is not walked over.
    func dueDeliveries(
        at now: Instant,
        but taken: Set<DeliveryID>,
        limit: Int,
        share: DeliveryShare
    ) throws -> [DueDelivery] {
        let next = try self.cachedStatement(sql: Query.waitingWebhook.rawValue)
        let due = try self.cachedStatement(sql: Query.dueDeliveries.rawValue)
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
                guard !taken.contains(id) else { continue }
                let delivery = DueDelivery(id: id, channel: channel, url: url, owner: owner)
                queue.append((Instant(nanoseconds: row[1]), delivery))
            }
            if !queue.isEmpty { queues.append(queue) }
        }
        return share.choose(from: queues, limit: limit)
    }

    func waitingDeliveries(for url: WebhookURL, of channel: ChannelName, limit: Int) throws -> WaitingDeliveries {
        let webhook = try self.cachedStatement(sql: Query.webhook.rawValue)
        guard let id = try Int64.fetchOne(webhook, arguments: [channel.rawValue, url.rawValue]) else {
            return WaitingDeliveries(count: 0, first: [])
        }
        let count = try Int.fetchOne(self.cachedStatement(sql: Query.countDeliveries.rawValue), arguments: [id])
        let first = try self.cachedStatement(sql: Query.waitingDeliveries.rawValue)
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
