/// Reads the idempotency records that were appended with events, see ``Append/records``.
public protocol IdempotencyStore: Sendable {
    /// Looks up an idempotency record that had not expired at the last ``EventLog/prune(at:)``.
    func record(of channel: ChannelName, key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord?

    /// How a toast ended that was published under an idempotency key; `nil` while it lives, or when its key is not
    /// kept.
    func outcome(of toast: ToastID, in channel: ChannelName) async throws(StoreError) -> ToastOutcome?

    /// How many idempotency records of a channel are kept for each owner; expired ones count until they are pruned.
    func recordCounts(of channel: ChannelName) async throws(StoreError) -> [String: Int]
}
