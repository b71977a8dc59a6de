package import ToastCore
package import ToastStore

/// The headers of the log's messages as an index of the channels of a partition.
package struct JetStreamPartitionIndex: PartitionIndex {
    private let store: JetStreamStore

    /// The index of a store.
    package init(_ store: JetStreamStore) {
        self.store = store
    }

    /// The channels of partitions whose last message says that they have a deadline.
    package func timedChannels(in partitions: [Partition]) async throws(StoreError) -> [ChannelName] {
        try await self.store.timedChannels(inPartitions: partitions.map(\.index))
    }
}
