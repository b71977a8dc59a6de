/// What a node says about ownership in each heartbeat.
package struct OwnershipClaim: Equatable, Sendable {
    /// The number of the heartbeat, counted by its sender; an older one that arrives later is ignored.
    package var beat: UInt64

    /// Which candidacy of the sender this is; `nil` when it owns nothing and asks for nothing.
    ///
    /// A node is a candidate when it wants its share of the partitions. The number grows with each new candidacy, so
    /// that a concession to an earlier one, still on its way, is worth nothing for a later one.
    package var candidacy: UInt64?

    /// The candidacies of other nodes that the sender has counted: it owns no partition for which one of them has the
    /// higher score, and will own none until that node has said that it is no candidate any more, or the log has
    /// closed its pulse.
    package var concessions: [NodeID: UInt64]
}
