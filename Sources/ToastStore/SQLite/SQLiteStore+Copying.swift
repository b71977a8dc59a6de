import GRDB
package import ToastCore

extension SQLiteStore: CopyableStore {
    package func allRecords(of channel: ChannelName) async throws(StoreError) -> [IdempotencyRecord] {
        try await self.read { database in
            let sql = """
                SELECT at, fingerprint, response, toast, outcome, owner, key FROM records
                WHERE channel_id = (SELECT id FROM channels WHERE name = ?) ORDER BY at, owner, key
                """
            let rows = try Row.fetchCursor(database, sql: sql, arguments: [channel.rawValue])
            return try Array(rows.map { row in try IdempotencyRecord(row, of: IdempotencyKey(row[6], of: row[5])) })
        }
    }

    package func allDeliveries(of channel: ChannelName) async throws(StoreError) -> [NewDelivery] {
        try await self.read { database in
            let sql = """
                SELECT w.url, d.message, d.at, d.due, d.payload FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
                WHERE w.channel_id = (SELECT id FROM channels WHERE name = ?) ORDER BY d.id
                """
            let rows = try Row.fetchCursor(database, sql: sql, arguments: [channel.rawValue])
            let deliveries = rows.map { row in
                guard let url = WebhookURL(rawValue: row[0]) else {
                    throw StoreError.corrupt("A webhook of channel \(channel) has a URL that is none.")
                }
                return NewDelivery(
                    webhook: url,
                    message: row[1],
                    at: Instant(nanoseconds: row[2]),
                    due: Instant(nanoseconds: row[3]),
                    payload: try row.bytes(at: 4)
                )
            }
            return try Array(deliveries)
        }
    }

    package func channelFloor() async throws(StoreError) -> Offset { self.counts.values.floor }

    package func raiseChannelFloor(to offset: Offset) async throws(StoreError) {
        _ = try await self.writer.perform { try $0.raiseFloor(to: offset) }
    }
}
