import Foundation
import GRDB
public import ToastCore

extension SQLiteStore {
    /// A document, byte for byte as it was kept; `nil` when there is none.
    public func document(_ name: DocumentName) async throws(StoreError) -> [UInt8]? {
        try await self.read { database in
            let statement = try database.cachedStatement(sql: Query.document.rawValue)
            return try Row.fetchOne(statement, arguments: [name.rawValue])?.bytes(at: 0)
        }
    }

    /// Replaces a document, and returns after it was committed.
    public func replaceDocument(_ name: DocumentName, with document: [UInt8]) async throws(StoreError) {
        _ = try await self.writer.perform(.replaceDocument(name, document))
    }
}

extension SQLiteWriterSession {
    /// Replaces a document; so rare that the statement is not kept ready.
    static func replace(_ name: DocumentName, with document: [UInt8], in database: Database) throws -> Outcome {
        try database.execute(sql: Query.replaceDocument.rawValue, arguments: [name.rawValue, Data(document)])
        return .success(1)
    }
}
