/// The name of a document that belongs to no channel.
public enum DocumentName: String, CaseIterable, Hashable, Sendable {
    /// The defaults for the settings of channels that were sent to a running server.
    case settings

    /// The hooks of all channels, with the secrets that their senders sign with.
    case hooks

    /// How often a change of a document is tried when other processes change the same document meanwhile.
    public static let mostAttempts = 20
}

/// Stores documents that were sent to a running server and belong to no channel.
public protocol DocumentStore: Sendable {
    /// A document, byte for byte as it was stored; `nil` when there is none.
    func document(_ name: DocumentName) async throws(StoreError) -> [UInt8]?

    /// Replaces a document if it is still the one that the caller has read: compare and set.
    ///
    /// When it returns, the document survives the end of this process if the store is durable. Calls take effect in the
    /// order in which they were made.
    ///
    /// `old` is what the caller has read, `nil` when there was none.
    ///
    /// - Returns: Whether it was replaced; `false` when another process has changed it meanwhile: read it again.
    /// - Throws: `unavailable` when nothing could be written, `undecided` when that is not known.
    func replaceDocument(
        _ name: DocumentName,
        expecting old: [UInt8]?,
        with new: [UInt8]
    ) async throws(StoreError) -> Bool
}
