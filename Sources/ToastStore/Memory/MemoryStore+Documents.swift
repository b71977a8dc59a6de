package import ToastCore

extension MemoryStore {
    /// All catalogs, in the order of their languages.
    package func catalogs() async throws(StoreError) -> [StoredCatalog] {
        try self.withState { state in
            state.catalogs.map { StoredCatalog(language: $0.key, document: $0.value) }
                .sorted { $0.language < $1.language }
        }
    }

    /// Nil: this object is the only writer.
    package func catalogsVersion() async throws(StoreError) -> UInt64? { nil }

    /// Replaces or forgets the catalogs of some languages.
    package func changeCatalogs(
        _ changes: [CatalogChange],
        ifVersion _: UInt64?
    ) async throws(StoreError) -> Bool {
        try self.withState { state in
            for change in changes { state.catalogs[change.language] = change.document }
            return true
        }
    }

    /// A document, byte for byte as it was kept; `nil` when there is none.
    package func document(_ name: DocumentName) async throws(StoreError) -> [UInt8]? {
        try self.withState { $0.documents[name] }
    }

    /// Replaces a document if it is still `old`.
    package func replaceDocument(
        _ name: DocumentName,
        expecting old: [UInt8]?,
        with new: [UInt8]
    ) async throws(StoreError) -> Bool {
        try self.withState { state in
            guard state.documents[name] == old else { return false }
            state.documents[name] = new
            return true
        }
    }
}
