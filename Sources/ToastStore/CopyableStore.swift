package import ToastCore

/// A store that can be copied as a whole while no server uses it: adds what the other ports cannot list or set.
package protocol CopyableStore: Store {
    /// All stored idempotency records of a channel, also expired ones, in the order in which they were accepted.
    func allRecords(of channel: ChannelName) async throws(StoreError) -> [IdempotencyRecord]

    /// All deliveries of a channel that wait, in the order in which they entered the queue.
    func allDeliveries(of channel: ChannelName) async throws(StoreError) -> [NewDelivery]

    /// The offset after which a new channel begins.
    func channelFloor() async throws(StoreError) -> Offset

    /// Raises the offset after which new channels begin; never lowers it.
    func raiseChannelFloor(to offset: Offset) async throws(StoreError)
}
