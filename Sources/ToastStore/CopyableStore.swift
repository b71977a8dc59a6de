package import ToastCore

/// A store that can be copied as a whole, while no server uses it: what its ports do not list, or do not set.
package protocol CopyableStore: Store {
    /// All idempotency records of a channel that have not expired, in the order in which they were accepted.
    func allRecords(of channel: ChannelName) async throws(StoreError) -> [IdempotencyRecord]

    /// All deliveries of a channel that wait, in the order in which they entered the queue.
    func allDeliveries(of channel: ChannelName) async throws(StoreError) -> [NewDelivery]

    /// The offset after which a new channel begins.
    func channelFloor() async throws(StoreError) -> Offset

    /// Raises the offset at or after which new channels begin.
    func raiseChannelFloor(to offset: Offset) async throws(StoreError)
}
