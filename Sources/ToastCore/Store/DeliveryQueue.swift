/// The webhooks of channels, and the messages that wait for them.
///
/// Apart from the log of events, because secrets never get into events, snapshots or streams. A delivery comes in with
/// ``Append/deliveries``, stored together with its event, and stays until ``settle(_:_:)``: so each is sent at least
/// once, unless its webhook is removed or disabled, or newer deliveries displace it. One process sends the deliveries
/// of a channel, and remembers which of them are under way.
public protocol DeliveryQueue: Sendable {
    /// How full the queue is, as far as this process knows. O(1); does not touch the disk.
    var deliveryCounts: DeliveryQueueCounts { get }

    /// Replaces the webhooks of a channel; ``EventLog/load(_:)`` returns them.
    ///
    /// Deliveries for a webhook that is no longer in the list, or is disabled in it, are removed; those for the others
    /// stay. The channel is known from now on if it was not.
    ///
    /// - Parameters:
    ///   - webhooks: The new webhooks.
    ///   - channel: The channel.
    ///   - known: The webhooks that the caller has read: compare and set. Nil replaces any.
    /// - Returns: How many deliveries were removed.
    /// - Throws: `conflict` when the channel has others than `known`; `unavailable` when nothing could be written;
    ///   `undecided` when that is not known, or when deliveries may be left; `tooManyChannels` when there is no room
    ///   for a new channel.
    @discardableResult
    func setWebhooks(
        _ webhooks: [Webhook],
        of channel: ChannelName,
        replacing known: [Webhook]?
    ) async throws(StoreError) -> Int

    /// The deliveries that are due and that this process is to send, also those that are under way.
    ///
    /// - Parameters:
    ///   - instant: The deliveries are due at this instant.
    ///   - limit: The most deliveries.
    ///   - share: The most of them for one webhook and for one owner, so that one with many does not hide the others.
    /// - Returns: The deliveries, longest due first.
    /// - Throws: `unavailable` when nothing could be read.
    func dueDeliveries(at instant: Instant, limit: Int, share: DeliveryShare) async throws(StoreError) -> [DueDelivery]

    /// When the next delivery is due that is not due yet; `nil` when none waits.
    func nextDelivery(after now: Instant) async throws(StoreError) -> Instant?

    /// A delivery; `nil` when it has left the queue.
    func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery?

    /// How many deliveries wait for a webhook of a channel, and the `limit` oldest of them.
    ///
    /// None when the channel has no such webhook.
    ///
    /// - Throws: `unavailable` when nothing could be read.
    func waitingDeliveries(
        for url: WebhookURL,
        of channel: ChannelName,
        limit: Int
    ) async throws(StoreError) -> WaitingDeliveries

    /// Stores what became of a delivery; nothing happens when it has left the queue.
    func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError)
}
