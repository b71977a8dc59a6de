import GRDB
import ToastCore

extension Ledger {
    /// Forgets a channel, unless something happened in it or is needed for it; those that come begin behind it.
    func forget(_ channel: ChannelName, at offset: Offset, with statements: Statements) throws -> Outcome {
        guard let entry = try self.entry(of: channel, with: statements), self.standing(of: entry).admits(offset),
            try Row.fetchOne(statements.isNeeded, arguments: [entry.id]) == nil
        else { return .success(0) }
        try statements.forgetEvents.execute(arguments: [entry.id, Int64.max])
        try statements.removeSnapshot.execute(arguments: [entry.id])
        try statements.removeChannel.execute(arguments: [entry.id])
        self.entries[channel] = nil
        self.channels.number -= 1
        guard entry.standing.last > self.channels.floor else { return .success(1) }
        self.channels.floor = entry.standing.last
        try self.database.execute(sql: "UPDATE meta SET floor = ?", arguments: [entry.standing.last.rawValue])
        return .success(1)
    }
}
