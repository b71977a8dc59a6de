/// Everything that a server keeps, in one adapter: what the composition root opens, hands out by its ports, and closes.
public protocol Store: EventLog, IdempotencyStore, ChannelDirectory, DeliveryQueue, CatalogStore, DocumentStore {
    /// Writes out all that was accepted and ends; later appends and reads of channels fail with `unavailable`.
    /// Idempotent.
    func close() async
}
