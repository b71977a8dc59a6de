/// The durable log of events of each channel: append, load, read.
///
/// An append is a compare-and-set on the channel's last offset, so two writers cannot fork a channel. Forgetting old
/// events never touches what a channel is rebuilt from: its snapshot and all events after it.
public protocol EventLog: Sendable {
    /// The epoch that this log's offsets belong to.
    var epoch: Epoch { get }

    /// Why nothing can be written now; `nil` as long as no write is known to have failed.
    ///
    /// A log that fails tries by itself whether it can write again. O(1); does not touch the disk.
    var failure: StoreError? { get }

    /// Whether several changes in one append cost less than each in an append of its own.
    ///
    /// True where an append waits for a disk or a network: callers then collect changes for a moment. False in memory.
    var gathersAppends: Bool { get }

    /// Appends to several channels; each change is stored as a whole or not at all, whatever becomes of the others.
    ///
    /// A stored change survives the end of this process if the log is durable. Changes of one channel take effect in
    /// the order in which they were handed over. A channel without events accepts any ``Append/expected`` up to the
    /// place that ``load(_:)`` returns for it. Cancelling the calling task changes nothing.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - completion: Called once for each change, with its index and its outcome. The outcomes may come in any order
    ///     and at different times, on any thread; before this call returns if the log is in memory or refuses the
    ///     change (closed, or too many wait).
    func append(_ changes: [Append], completion: @escaping @Sendable (Int, AppendOutcome) -> Void)

    /// Reads what a channel is rebuilt from.
    ///
    /// - Parameter channel: The channel. One that the log does not know has no events, and the offset where it would
    ///   begin: at or after the end of every channel that was forgotten, so that no offset is ever used twice.
    /// - Returns: The channel, with everything that was stored before the call.
    /// - Throws: `unavailable`, or `corrupt` when events are missing between its snapshot and its end.
    func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel

    /// Reads events of a channel after an offset, oldest first.
    ///
    /// At most `limit` events, whose envelopes have at most `bytes` bytes together; a single event may have more.
    ///
    /// - Throws: `unavailable` or `corrupt` when they cannot be read.
    func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int,
        bytes: Int
    ) async throws(StoreError) -> History

    /// Forgets the events and idempotency records that the retention allows to forget at this instant.
    func prune(at now: Instant) async throws(StoreError)
}

extension EventLog {
    /// Reads at most `limit` events of a channel after an offset, oldest first, however long they are.
    public func events(of channel: ChannelName, after offset: Offset, limit: Int) async throws(StoreError) -> History {
        try await self.events(of: channel, after: offset, limit: limit, bytes: .max)
    }
}
