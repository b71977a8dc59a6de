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
            var (names, next, count): ([ChannelName], ChannelName?, Int) = ([], nil, 0)
            let rows = try Row.fetchCursor(statement, arguments: [start, limit])
            while let row = try rows.next() {
                guard let name = ChannelName(rawValue: row[0]) else { continue }
                (next, count) = (name, count + 1)
                let (at, isNeeded): (Int64?, Bool) = (row[1], row[2])
                guard !isNeeded, at.map({ Instant(nanoseconds: $0) < instant }) ?? true else { continue }
                names.append(name)
            }
            return QuietChannels(names: names, next: count < limit ? nil : next)
        }
    }

    package func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Offset? {
        let isGone = try await self.writer.perform(.other { try $0.remove(channel, at: offset) }) > 0
        return isGone ? self.counts.values.floor : nil
    }

    @discardableResult
    package func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        try await self.writer.perform(.other { try $0.forget(channel, at: offset) }) > 0
    }
}
