/// Some channels that may be empty, and where to continue.
public struct QuietChannels: Hashable, Sendable {
    /// The channels, in the order of their names.
    public let names: [ChannelName]

    /// The channel after which to continue; `nil` when all were examined.
    public let next: ChannelName?

    /// A part of a store's channels.
    public init(names: [ChannelName], next: ChannelName?) {
        self.names = names
        self.next = next
    }
}

/// Which channels are kept: listing, counting, forgetting.
public protocol ChannelDirectory: Sendable {
    /// The names of the channels that are kept, in order, after `name` if one is given.
    func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName]

    /// Makes sure that ``channels(after:limit:)`` names all channels that other processes had added until an instant.
    ///
    /// A store with one writer has nothing to do.
    ///
    /// - Throws: `unavailable` when the store cannot be read.
    func refreshChannels(since instant: ContinuousClock.Instant) async throws(StoreError)

    /// How many channels are kept.
    func channelCount() async throws(StoreError) -> Int

    /// Keeps at most this number of channels from now on; those that are there stay.
    ///
    /// Returns at once. A call that would add a channel past the limit fails with `tooManyChannels`.
    func limitChannels(to count: Int)

    /// Looks for channels without webhooks and idempotency records in which nothing has happened since an instant.
    ///
    /// It examines `limit` channels after `name`, or the first ones; a store may examine more where that costs nothing.
    ///
    /// - Throws: `unavailable` when the store cannot be read.
    func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels

    /// Forgets a channel if it is still at an offset and has neither webhooks nor idempotency records.
    ///
    /// For a channel whose state was empty at that offset. A process that has it in memory may go on appending from
    /// there.
    ///
    /// - Returns: Whether it was forgotten.
    /// - Throws: `unavailable` when nothing could be written, `undecided` when that is not known.
    @discardableResult
    func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool

    /// Removes a channel with its records, webhooks and deliveries, if it is still at an offset.
    ///
    /// Whole or not at all. When it returns, the removal survives the end of this process if the store is durable.
    ///
    /// - Parameters:
    ///   - channel: The channel; one that the store does not know is removed already.
    ///   - offset: The last event that the caller knows of.
    /// - Returns: Where a new channel of that name begins: at least one offset after the removed one, so that every
    ///   cursor of the removed one is reset. `nil` when the channel is at another offset and was not removed.
    /// - Throws: `unavailable` when nothing could be written, `undecided` when that is not known.
    func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Offset?
}

extension ChannelDirectory {
    /// Does nothing: this store has one writer.
    public func refreshChannels(since instant: ContinuousClock.Instant) async throws(StoreError) {}
}
