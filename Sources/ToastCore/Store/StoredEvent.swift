/// An event as a store keeps it: where it stands, when it happened, and its envelope as it goes over the wire.
public struct StoredEvent: Hashable, Sendable {
    /// The place of the event in its channel.
    public let offset: Offset

    /// When the event happened; retention by age counts from here.
    public let at: Instant

    /// The event's envelope: one JSON object in UTF-8, sent to consumers byte for byte.
    public let envelope: [UInt8]

    /// An event for a store.
    public init(offset: Offset, at: Instant, envelope: [UInt8]) {
        self.offset = offset
        self.at = at
        self.envelope = envelope
    }
}
