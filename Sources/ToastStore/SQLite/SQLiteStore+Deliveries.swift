import GRDB
package import ToastCore

extension SQLiteStore {
    package var deliveryCounts: DeliveryQueueCounts {
        let counts = self.counts.values
        return DeliveryQueueCounts(waiting: counts.waiting, displaced: counts.displaced)
    }

    @discardableResult
    package func setWebhooks(
        _ webhooks: [Webhook],
        of channel: ChannelName,
        replacing known: [Webhook]?
    ) async throws(StoreError) -> Int {
        try await self.writer.perform { try $0.setWebhooks(webhooks, of: channel, replacing: known) }
    }

    package func dueDeliveries(
        at instant: Instant,
        limit: Int,
        share: DeliveryShare
    ) async throws(StoreError) -> [DueDelivery] {
        try await self.read { database in
            let next = try database.statement(.waitingWebhook)
            let due = try database.statement(.dueDeliveries)
            var queues: [[(due: Instant, delivery: DueDelivery)]] = []
            var last = Int64.min
            // Webhook by webhook, so that thousands of deliveries to one webhook are not walked over.
            while let webhook = try Row.fetchOne(next, arguments: [last]) {
                last = webhook[0]
                guard let channel = ChannelName(rawValue: webhook[1]), let url = WebhookURL(rawValue: webhook[2]) else {
                    throw StoreError.corrupt("A delivery has a channel or a URL that is none.")
                }
                let owner: String = webhook[3]
                let rows = try Row.fetchCursor(due, arguments: [last, instant.nanoseconds])
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
    }

    package func nextDelivery(after now: Instant) async throws(StoreError) -> Instant? {
        try await self.read { database in
            let statement = try database.statement(.nextDelivery)
            return try Int64.fetchOne(statement, arguments: [now.nanoseconds]).map(Instant.init(nanoseconds:))
        }
    }

    package func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery? {
        try await self.read { database in
            let statement = try database.statement(.delivery)
            guard let row = try Row.fetchOne(statement, arguments: [id.rawValue]) else { return nil }
            guard let url = WebhookURL(rawValue: row[0]), let secret = WebhookSecret(bytes: try row.bytes(at: 1))
            else { throw StoreError.corrupt("A webhook has a URL or a secret that is none.") }
            let message = NewDelivery(
                webhook: url,
                message: row[2],
                at: Instant(nanoseconds: row[3]),
                payload: try row.bytes(at: 5)
            )
            return StoredDelivery(message: message, secret: secret, tries: row[4])
        }
    }

    package func waitingDeliveries(
        for url: WebhookURL,
        of channel: ChannelName,
        limit: Int
    ) async throws(StoreError) -> WaitingDeliveries {
        try await self.read { database in
            let webhook = try database.statement(.webhook)
            guard let id = try Int64.fetchOne(webhook, arguments: [channel.rawValue, url.rawValue]) else {
                return WaitingDeliveries(count: 0, first: [])
            }
            let count = try Int.fetchOne(database.statement(.countDeliveries), arguments: [id])
            let first = try database.statement(.waitingDeliveries)
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
    }

    package func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError) {
        _ = try await self.writer.perform { try $0.settle(id, settlement) }
    }
}
