package import ToastCore

/// Where a message between nodes goes.
package enum BusAddress: Hashable, Sendable {
    /// The owner of a partition, which the sender need not know.
    case partition(Partition)
    /// One node.
    case node(NodeID)
    /// All nodes, the sender included.
    case all
}

/// Why a request has no reply.
package enum BusError: Error, Hashable, Sendable {
    /// No node has subscribed to the address, or nothing could be sent: no node got the request.
    case noResponders
    /// No reply came in time, or the connection was lost: the request may have been carried out.
    case timeout
}

/// Carries messages between nodes: each arrives at most once, and messages of one sender arrive in order.
package protocol Bus: Sendable {
    /// The longest message that the bus carries.
    var limit: MessageLimit { get }

    /// Sends a message; never waits. The message may be lost.
    func publish(_ body: [UInt8], to address: BusAddress)

    /// Sends a message, and waits for the reply to it.
    func request(_ body: [UInt8], to address: BusAddress, timeout: Interval) async throws(BusError) -> [UInt8]

    /// Ends the pending requests to some addresses after `time` at the latest.
    func expireRequests(to addresses: [BusAddress], after time: Interval)

    /// Calls a handler with each message to an address, on any thread; `reply` is nil if the sender waits for none.
    func subscribe(
        _ address: BusAddress,
        _ handler: @escaping @Sendable (_ body: [UInt8], _ reply: BusReply?) -> Void
    ) -> BusCancellation
}

/// Sends the reply to a request, without waiting; the reply may be lost.
package typealias BusReply = @Sendable ([UInt8]) -> Void

/// Ends a subscription; a message under way may still arrive.
package typealias BusCancellation = @Sendable () -> Void
