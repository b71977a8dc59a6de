import GRDB
public import ToastCore

extension SQLiteStore {
    /// All catalogs, in the order of their languages.
    ///
    /// - Throws: `corrupt` when one has a language that is none.
    public func catalogs() async throws(StoreError) -> [StoredCatalog] {
        try await self.read { database in
            let statement = try database.cachedStatement(sql: Query.catalogs.rawValue)
            var catalogs: [StoredCatalog] = []
            let rows = try Row.fetchCursor(statement, arguments: [""])
            while let row = try rows.next() {
                guard let language = LanguageTag(rawValue: row[0]) else {
                    throw StoreError.corrupt("A catalog has a language that is none.")
                }
                catalogs.append(StoredCatalog(language: language, document: try row.bytes(at: 1)))
            }
            return catalogs
        }
    }

    /// Replaces or forgets the catalogs of some languages in one transaction, and returns after it was committed.
    public func changeCatalogs(_ changes: [CatalogChange]) async throws(StoreError) {
        _ = try await self.writer.perform(.changeCatalogs(changes))
    }
}
