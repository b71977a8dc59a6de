/// A document of which a store keeps one.
public enum DocumentName: String, CaseIterable, Hashable, Sendable {
    /// The defaults for the settings of channels that were sent to a running server.
    case settings
}

/// Where documents are kept that were sent to a running server and are none of a channel's.
public protocol DocumentStore: Sendable {
    /// A document, byte for byte as it was kept; `nil` when there is none.
    func document(_ name: DocumentName) async throws(StoreError) -> [UInt8]?

    /// Replaces a document.
    ///
    /// When it returns, the document survives the end of this process if the store is durable. Calls take effect in the
    /// order in which they were made.
    ///
    /// - Throws: `unavailable` when nothing could be written.
    func replaceDocument(_ name: DocumentName, with document: [UInt8]) async throws(StoreError)
}
