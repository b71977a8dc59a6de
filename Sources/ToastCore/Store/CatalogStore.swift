/// The catalog of a language, as a store keeps it.
public struct StoredCatalog: Hashable, Sendable {
    /// The language.
    public let language: LanguageTag

    /// The catalog as the server wrote it: JSON in UTF-8.
    public let document: [UInt8]

    /// A catalog for a store.
    public init(language: LanguageTag, document: [UInt8]) {
        self.language = language
        self.document = document
    }
}

/// A change of the stored catalog of a language.
public struct CatalogChange: Hashable, Sendable {
    /// The language.
    public let language: LanguageTag

    /// The catalog from now on; `nil` to forget it.
    public let document: [UInt8]?

    /// A change for a store.
    public init(language: LanguageTag, document: [UInt8]?) {
        self.language = language
        self.document = document
    }
}

/// Stores the catalogs that were sent to a running server.
///
/// They are read when the server starts, and again when another process that shares the store has changed them.
public protocol CatalogStore: Sendable {
    /// All catalogs, in the order of their languages.
    func catalogs() async throws(StoreError) -> [StoredCatalog]

    /// A number that is another one after each change by any process; `nil` when only this process changes them.
    func catalogsVersion() async throws(StoreError) -> UInt64?

    /// Replaces or forgets the catalogs of some languages, all or none.
    ///
    /// When it returns, the change survives the end of this process if the store is durable. Calls take effect in the
    /// order in which they were made.
    ///
    /// - Parameters:
    ///   - changes: The changes, one for each language.
    ///   - version: The version that the catalogs must have: compare and set; `nil` for any.
    /// - Returns: Whether the catalogs had this version; nothing was changed if not.
    /// - Throws: `unavailable` when nothing could be written, `undecided` when that is not known.
    func changeCatalogs(_ changes: [CatalogChange], ifVersion version: UInt64?) async throws(StoreError) -> Bool
}

extension CatalogStore {
    /// Replaces or forgets the catalogs of some languages, whatever their version.
    package func changeCatalogs(_ changes: [CatalogChange]) async throws(StoreError) {
        _ = try await self.changeCatalogs(changes, ifVersion: nil)
    }
}
