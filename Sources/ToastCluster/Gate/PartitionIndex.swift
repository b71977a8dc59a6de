package import ToastCore

/// What the log says of the channels of a partition, so that a new owner need not load all of them.
package protocol PartitionIndex: Sendable {
    /// The channels of partitions that have a deadline.
    func timedChannels(in partitions: [Partition]) async throws(StoreError) -> [ChannelName]
}
