/// The texts of one language, by their keys.
public struct Catalog: Hashable, Sendable {
    private var entries: [String: CatalogEntry]

    /// A catalog of entries.
    public init(_ entries: [String: CatalogEntry] = [:]) {
        self.entries = entries
    }

    /// How many keys it has.
    public var count: Int { self.entries.count }

    /// Whether it has none.
    public var isEmpty: Bool { self.entries.isEmpty }

    /// The keys in the order of their bytes.
    public var keys: [String] { self.entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    /// The entry of a key; `nil` when it has none.
    public subscript(key: String) -> CatalogEntry? {
        get { self.entries[key] }
        set { self.entries[key] = newValue }
    }

    /// A digest of all entries, the same for equal catalogs on every machine.
    public var digest: UInt64 { self.encoded.digest }

    /// This catalog with the entries of another, which take precedence.
    public func overlaid(with other: Self) -> Self {
        Self(self.entries.merging(other.entries) { _, new in new })
    }
}
