/// A document of which a store keeps one.
public enum DocumentName: String, CaseIterable, Hashable, Sendable {
    /// The defaults for the settings of channels that were sent to a running server.
    case settings

    /// The hooks of all channels, with the secrets that their senders sign with.
    case hooks
}

/// Stores documents that were sent to a running server and belong to no channel.
public protocol DocumentStore: Sendable {
    /// A document, byte for byte as it was stored; `nil` when there is none.
    func document(_ name: DocumentName) async throws(StoreError) -> [UInt8]?

    /// Replaces a document.
    ///
    /// When it returns, the document survives the end of this process if the store is durable. Calls take effect in the
    /// order in which they were made.
    ///
    /// - Throws: `unavailable` when nothing could be written.
    func replaceDocument(_ name: DocumentName, with document: [UInt8]) async throws(StoreError)
}
