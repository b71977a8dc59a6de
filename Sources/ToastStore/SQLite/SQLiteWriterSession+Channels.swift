import GRDB
import ToastCore

extension SQLiteWriterSession {
    /// Forgets a channel unless it has new events, webhooks or records; later channels begin after its last event.
    ///
    /// The outcome is 1 if it did.
    func forget(_ channel: ChannelName, at offset: Offset) throws -> Outcome {
        guard let entry = try self.entry(of: channel), self.bounds(of: entry).accepts(offset),
            let row = try Row.fetchOne(self.database.statement(.load), arguments: [channel.rawValue])
        else { return .success(0) }
        let (hasWebhooks, hasRecords): (Bool, Bool) = (row[4], row[5])
        if hasWebhooks || hasRecords { return .success(0) }
        try self.erase(channel, entry)
        try self.raiseFloor(to: entry.bounds.last)
        return .success(1)
    }

    /// Removes a channel with all that is kept of it; later channels begin after the offset next to its last event.
    ///
    /// The outcome is 1 if the channel is gone then, and 0 if it has new events.
    func remove(_ channel: ChannelName, at offset: Offset) throws -> Outcome {
        guard let entry = try self.entry(of: channel) else { return .success(1) }
        guard self.bounds(of: entry).accepts(offset) else { return .success(0) }
        _ = try self.setWebhooks([], of: entry.id)
        try self.execute(.removeRecords, [entry.id])
        try self.erase(channel, entry)
        if !entry.bounds.isFresh { try self.raiseFloor(to: entry.bounds.last.next) }
        return .success(1)
    }

    private func erase(_ channel: ChannelName, _ entry: Entry) throws {
        try self.execute(.forgetEvents, [entry.id, Int64.max])
        try self.execute(.removeSnapshot, [entry.id])
        try self.execute(.removeChannel, [entry.id])
        self.entries[channel] = nil
        self.newCounts.channels -= 1
    }

    /// Raises the offset after which new channels begin; never lowers it.
    @discardableResult
    func raiseFloor(to offset: Offset) throws -> Outcome {
        guard offset > self.newCounts.floor else { return .success(0) }
        self.newCounts.floor = offset
        try self.database.execute(sql: "UPDATE meta SET floor = ?", arguments: [offset.rawValue])
        return .success(0)
    }
}
