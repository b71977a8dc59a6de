package import ToastCore

extension MemoryStore {
    package func catalogs() async throws(StoreError) -> [LanguageTag: [UInt8]] {
        try self.withState { $0.catalogs }
    }

    /// Nil: this object is the only writer.
    package func catalogsVersion() async throws(StoreError) -> UInt64? { nil }

    package func changeCatalogs(
        _ changes: [LanguageTag: [UInt8]?],
        ifVersion _: UInt64?
    ) async throws(StoreError) -> Bool {
        try self.withState { state in
            for (language, document) in changes { state.catalogs[language] = document }
            return true
        }
    }

    package func document(_ name: DocumentName) async throws(StoreError) -> [UInt8]? {
        try self.withState { $0.documents[name] }
    }

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
