import GRDB
package import ToastCore

extension SQLiteStore {
    package func channelCount() async throws(StoreError) -> Int { self.counts.values.channels }

    package func limitChannels(to count: Int) { self.counts.channelLimit = count }

    package func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels {
        try await self.read { database in
            let (statement, start, limit) = (try database.statement(.quiet), name?.rawValue ?? "", max(limit, 1))
            let rows = try Row.fetchAll(statement, arguments: [start, limit])
            let names = rows.compactMap { row -> ChannelName? in
                let (at, isNeeded): (Int64?, Bool) = (row[1], row[2])
                let isQuiet = !isNeeded && (at.map { Instant(nanoseconds: $0) < instant } ?? true)
                return isQuiet ? ChannelName(rawValue: row[0]) : nil
            }
            let end = rows.last.flatMap { ChannelName(rawValue: $0[0]) }
            return QuietChannels(names: names, next: rows.count < limit ? nil : end)
        }
    }

    package func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Offset? {
        let isGone = try await self.writer.perform { try $0.remove(channel, at: offset) } > 0
        return isGone ? self.counts.values.floor : nil
    }

    @discardableResult
    package func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        try await self.writer.perform { try $0.forget(channel, at: offset) } > 0
    }
}
