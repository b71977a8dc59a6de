package import ToastCore

/// Which of some nodes is the owner of each partition: the one with the highest score for it (rendezvous hashing).
///
/// It follows from the set of nodes alone, so nodes that know the same set agree without talking. When a node joins,
/// only the partitions that it gets move; when one leaves, only those that it had.
package struct Ownership: Equatable, Sendable {
    /// The owner of each partition; empty without any node.
    private let owners: [NodeID]

    /// The ownership among some nodes.
    package init(among nodes: some Sequence<NodeID>) {
        let candidates = nodes.map { ($0, $0.rawValue.utf8.digest) }
        self.owners = Partition.all.compactMap { partition in
            candidates.max { left, right in
                let (leftScore, rightScore) = (Self.score(left.1, partition), Self.score(right.1, partition))
                return leftScore == rightScore ? left.0 < right.0 : leftScore < rightScore
            }?.0
        }
    }

    /// The owner of a partition; `nil` when there is no node.
    package func owner(of partition: Partition) -> NodeID? {
        self.owners.isEmpty ? nil : self.owners[partition.index]
    }

    /// The partitions of a node.
    package func partitions(of node: NodeID) -> PartitionSet {
        PartitionSet(zip(Partition.all, self.owners).lazy.filter { $0.1 == node }.map(\.0))
    }

    /// The score of a node for a partition: SplitMix64 with the digest of the node's name as seed.
    ///
    /// Written out, because Swift's own hashes differ from process to process and all nodes must agree.
    private static func score(_ digest: UInt64, _ partition: Partition) -> UInt64 {
        var mixed = digest &+ UInt64(partition.index + 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
