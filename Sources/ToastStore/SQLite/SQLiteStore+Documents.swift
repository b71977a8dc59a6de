import Foundation
import GRDB
package import ToastCore

extension SQLiteStore {
    package func catalogs() async throws(StoreError) -> [LanguageTag: [UInt8]] {
        try await self.read { database in
            let statement = try database.statement(.catalogs)
            var catalogs: [LanguageTag: [UInt8]] = [:]
            let rows = try Row.fetchCursor(statement, arguments: [""])
            while let row = try rows.next() {
                guard let language = LanguageTag(rawValue: row[0]) else {
                    throw StoreError.corrupt("A catalog has a language that is none.")
                }
                catalogs[language] = try row.bytes(at: 1)
            }
            return catalogs
        }
    }

    /// Nil: no other process writes to the database.
    package func catalogsVersion() async throws(StoreError) -> UInt64? { nil }

    package func changeCatalogs(
        _ changes: [LanguageTag: [UInt8]?],
        ifVersion _: UInt64?
    ) async throws(StoreError) -> Bool {
        _ = try await self.writer.perform { try $0.change(changes) }
        return true
    }

    package func document(_ name: DocumentName) async throws(StoreError) -> [UInt8]? {
        try await self.read { database in
            let statement = try database.statement(.document)
            return try Row.fetchOne(statement, arguments: [name.rawValue])?.bytes(at: 0)
        }
    }

    package func replaceDocument(
        _ name: DocumentName,
        expecting old: [UInt8]?,
        with new: [UInt8]
    ) async throws(StoreError) -> Bool {
        try await self.writer.perform { try $0.replace(name, old, with: new) } > 0
    }
}

extension SQLiteWriterSession {
    func change(_ catalogs: [LanguageTag: [UInt8]?]) throws -> Outcome {
        for (language, document) in catalogs {
            if let document {
                try self.execute(.replaceCatalog, [language.rawValue, Data(document)])
            } else {
                try self.execute(.forgetCatalog, [language.rawValue])
            }
        }
        return .success(catalogs.count)
    }

    /// Replaces a document if it is still `old`; the outcome is 1 if it was.
    func replace(_ name: DocumentName, _ old: [UInt8]?, with new: [UInt8]) throws -> Outcome {
        let statement = try self.database.statement(.document)
        let stored = try Row.fetchOne(statement, arguments: [name.rawValue])?.bytes(at: 0)
        guard stored == old else { return .success(0) }
        try self.execute(.replaceDocument, [name.rawValue, Data(new)])
        return .success(1)
    }
}
