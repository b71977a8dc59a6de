public import ToastCore

extension MemoryStore {
    /// A document, byte for byte as it was kept; `nil` when there is none.
    public func document(_ name: DocumentName) async throws(StoreError) -> [UInt8]? {
        try self.withState { (state: inout State) throws(StoreError) in state.documents[name] }
    }

    /// Replaces a document.
    public func replaceDocument(_ name: DocumentName, with document: [UInt8]) async throws(StoreError) {
        try self.withState { (state: inout State) throws(StoreError) in state.documents[name] = document }
    }
}
