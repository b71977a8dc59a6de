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
    public var keys: [String] { self.entries.keys.sorted() }

    /// The entry of a key; `nil` when it has none.
    public subscript(key: String) -> CatalogEntry? {
        get { self.entries[key] }
        set { self.entries[key] = newValue }
    }

    /// A digest of all entries, the same for equal catalogs on every machine (FNV-1a).
    public var digest: UInt64 { self.document.digest }

    /// This catalog with the entries of another, which win.
    public func overlaid(with other: Self) -> Self {
        Self(self.entries.merging(other.entries) { _, new in new })
    }
}

extension Sequence<UInt8> {
    /// FNV-1a, 64 bits: tells documents apart, and is no protection against anybody.
    public var digest: UInt64 { self.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
