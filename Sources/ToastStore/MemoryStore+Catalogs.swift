public import ToastCore

extension MemoryStore {
    /// All catalogs, in the order of their languages.
    public func catalogs() async throws(StoreError) -> [StoredCatalog] {
        try self.withState { (state: inout State) throws(StoreError) in
            state.catalogs.map { StoredCatalog(language: $0.key, document: $0.value) }
                .sorted { $0.language < $1.language }
        }
    }

    /// Replaces or forgets the catalogs of some languages.
    public func changeCatalogs(_ changes: [CatalogChange]) async throws(StoreError) {
        try self.withState { (state: inout State) throws(StoreError) in
            for change in changes { state.catalogs[change.language] = change.document }
        }
    }
}
