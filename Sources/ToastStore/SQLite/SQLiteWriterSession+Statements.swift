import GRDB

extension SQLiteWriterSession {
    /// Every statement of the writing connection, prepared.
    struct Statements {
        let begin: Statement
        let commit: Statement
        let standing: Statement
        let ages: Statement
        let insertChannel: Statement
        let insertEvents: RowInsertion
        let events: Statement
        let shortenEvents: Statement
        let replaceSnapshot: Statement
        let replaceRecord: Statement
        let displaceRecord: Statement
        let noteOutcome: Statement
        let forgetEvents: Statement
        let forgetRecords: Statement
        let isNeeded: Statement
        let removeSnapshot: Statement
        let removeRecords: Statement
        let removeChannel: Statement
        let webhooks: Statement
        let replaceWebhook: Statement
        let removeWebhook: Statement
        let insertDelivery: Statement
        let displaceDeliveries: Statement
        let removeDeliveries: Statement
        let removeDelivery: Statement
        let rest: Statement
        let moveDelivery: Statement

        init(_ database: Database) throws {
            func prepare(_ query: Query) throws -> Statement { try database.makeStatement(sql: query.rawValue) }
            self.begin = try database.makeStatement(sql: "BEGIN IMMEDIATE")
            self.commit = try database.makeStatement(sql: "COMMIT")
            self.standing = try prepare(.standing)
            self.ages = try prepare(.ages)
            self.insertChannel = try prepare(.insertChannel)
            self.insertEvents = RowInsertion(try prepare(.insertEvents))
            self.events = try prepare(.events)
            self.shortenEvents = try prepare(.shortenEvents)
            self.replaceSnapshot = try prepare(.replaceSnapshot)
            self.replaceRecord = try prepare(.replaceRecord)
            self.displaceRecord = try prepare(.displaceRecord)
            self.noteOutcome = try prepare(.noteOutcome)
            self.forgetEvents = try prepare(.forgetEvents)
            self.forgetRecords = try prepare(.forgetRecords)
            self.isNeeded = try prepare(.isNeeded)
            self.removeSnapshot = try prepare(.removeSnapshot)
            self.removeRecords = try prepare(.removeRecords)
            self.removeChannel = try prepare(.removeChannel)
            self.webhooks = try prepare(.webhooks)
            self.replaceWebhook = try prepare(.replaceWebhook)
            self.removeWebhook = try prepare(.removeWebhook)
            self.insertDelivery = try prepare(.insertDelivery)
            self.displaceDeliveries = try prepare(.displaceDeliveries)
            self.removeDeliveries = try prepare(.removeDeliveries)
            self.removeDelivery = try prepare(.removeDelivery)
            self.rest = try prepare(.rest)
            self.moveDelivery = try prepare(.moveDelivery)
        }
    }
}
