package import ToastCore

/// Some of the partitions, a bit for each.
package struct PartitionSet: Hashable, Sendable {
    private var bits = SIMD4<UInt64>()

    /// A set of some partitions.
    package init(_ partitions: some Sequence<Partition> = EmptyCollection<Partition>()) {
        for partition in partitions { self.insert(partition) }
    }

    /// Whether it has none.
    package var isEmpty: Bool { self.bits == SIMD4() }

    /// The number of partitions in the set.
    package var count: Int { (0..<4).reduce(0) { $0 + self.bits[$1].nonzeroBitCount } }

    /// The partitions of the set, in order.
    package var partitions: [Partition] { Partition.all.filter(self.contains) }

    /// Whether a partition is in the set.
    package func contains(_ partition: Partition) -> Bool {
        self.bits[partition.index / 64] >> UInt64(partition.index % 64) & 1 == 1
    }

    /// Adds a partition.
    package mutating func insert(_ partition: Partition) {
        self.bits[partition.index / 64] |= 1 << UInt64(partition.index % 64)
    }

    /// Adds all partitions of another set.
    package mutating func formUnion(_ other: Self) { self.bits |= other.bits }

    /// What is in this set, but not in another.
    package func subtracting(_ other: Self) -> Self {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }

    /// What is in both sets.
    package func intersection(_ other: Self) -> Self {
        var both = self
        both.bits &= other.bits
        return both
    }
}
