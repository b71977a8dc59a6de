package import ToastCore

/// The part of the log that says which nodes are connected to it: see ``Membership`` and ``ReadFence``.
package protocol PulseLog: Sendable {
    /// The number of streams of the log.
    var streams: Int { get }

    /// Begins the pulse of a node, also of one whose pulse was closed: writes to each stream, then reads other pulses.
    ///
    /// - Returns: The other nodes with an open pulse; if they are more than ``Membership/maximumPeers``, there may be
    ///   some whose pulse was closed not long ago.
    func open(_ node: NodeID) async throws(StoreError) -> [NodeID]

    /// Writes the next pulse of a node to a stream.
    ///
    /// - Returns: False when another node has closed the pulse.
    func pulse(_ node: NodeID, stream: Int) async throws(StoreError) -> Bool

    /// Closes the pulse of a node that leaves, so that no other node has to wait for it.
    func close(_ node: NodeID) async throws(StoreError)

    /// Asks about a silent node, or closes its pulse.
    func answer(_ check: SilenceCheck) async throws(StoreError) -> SilenceCheck.Answer
}
