/// Stores the catalogs that were sent to a running server.
///
/// They are read when the server starts, and again when another process that shares the store has changed them.
public protocol CatalogStore: Sendable {
    /// All catalogs by their languages, as the server wrote them: JSON in UTF-8.
    ///
    /// - Throws: `unavailable`, or `corrupt` when a catalog has an invalid language.
    func catalogs() async throws(StoreError) -> [LanguageTag: [UInt8]]

    /// A number that differs after each change by any process; `nil` when only this process changes catalogs.
    func catalogsVersion() async throws(StoreError) -> UInt64?

    /// Replaces or forgets the catalogs of some languages, all or none.
    ///
    /// When it returns, the change survives the end of this process if the store is durable. Calls take effect in the
    /// order in which they were made.
    ///
    /// - Parameters:
    ///   - changes: The catalogs from now on; `nil` to forget one.
    ///   - version: The version that the catalogs must have: compare and set; `nil` for any.
    /// - Returns: Whether the catalogs had this version; nothing was changed if not.
    /// - Throws: `unavailable` when nothing could be written, `undecided` when that is not known.
    func changeCatalogs(
        _ changes: [LanguageTag: [UInt8]?],
        ifVersion version: UInt64?
    ) async throws(StoreError) -> Bool
}
