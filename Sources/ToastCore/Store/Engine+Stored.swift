extension Engine {
    /// Restores a channel from the store.
    ///
    /// - Throws: `corrupt` when the stored data is invalid.
    public init(channel: ChannelName, epoch: Epoch, _ stored: StoredChannel) throws(StoreError) {
        do throws(ValidationError) {
            if let snapshot = stored.snapshot {
                self = try Engine(channel: channel, epoch: epoch, restoring: snapshot.state)
            } else {
                // Events are pruned only after a snapshot, so without one the log is complete from its first event on.
                let first = stored.tail.first?.offset.previous
                self.init(channel: channel, epoch: epoch, after: first ?? stored.last)
            }
            for event in stored.tail { self.fold(try Event(envelope: event.envelope)) }
        } catch {
            throw .corrupt("Channel \(channel) cannot be read: \(error.issues.first?.detail ?? "unreadable")")
        }
    }
}
