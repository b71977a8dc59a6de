import GRDB
import ToastCore

extension SQLiteWriterSession {
    /// Forgets a channel, unless something happened in it or is needed for it; those that come begin behind it.
    func forget(_ channel: ChannelName, at offset: Offset, with statements: Statements) throws -> Outcome {
        guard let entry = try self.entry(of: channel, with: statements), self.standing(of: entry).admits(offset),
            try Row.fetchOne(statements.isNeeded, arguments: [entry.id]) == nil
        else { return .success(0) }
        try self.erase(channel, entry, with: statements)
        try self.raiseFloor(to: entry.standing.last)
        return .success(1)
    }

    /// Removes a channel with all that is kept of it; those that come begin one place behind it.
    func remove(_ channel: ChannelName, at offset: Offset, with statements: Statements) throws -> Outcome {
        guard let entry = try self.entry(of: channel, with: statements) else { return .success(1) }
        guard self.standing(of: entry).admits(offset) else { return .success(0) }
        _ = try self.setWebhooks([], of: entry.id, with: statements)
        try statements.removeRecords.execute(arguments: [entry.id])
        try self.erase(channel, entry, with: statements)
        if !entry.standing.isFresh { try self.raiseFloor(to: entry.standing.last.next) }
        return .success(1)
    }

    private func erase(_ channel: ChannelName, _ entry: Entry, with statements: Statements) throws {
        try statements.forgetEvents.execute(arguments: [entry.id, Int64.max])
        try statements.removeSnapshot.execute(arguments: [entry.id])
        try statements.removeChannel.execute(arguments: [entry.id])
        self.entries[channel] = nil
        self.channels.number -= 1
    }

    private func raiseFloor(to offset: Offset) throws {
        guard offset > self.channels.floor else { return }
        self.channels.floor = offset
        try self.database.execute(sql: "UPDATE meta SET floor = ?", arguments: [offset.rawValue])
    }
}
