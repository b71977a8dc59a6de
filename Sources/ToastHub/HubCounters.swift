/// What happened since the start, for each loop.
public final class HubCounters: Sendable {
    /// What became of deliveries to webhooks.
    public let webhooks = WebhookCounters()

    /// How the last deliveries to webhooks ended.
    public let attempts = DeliveryAttempts()

    /// What the channels did, by their loops.
    public let channels: [ChannelMeter]

    init(loops: Int) {
        self.channels = (0..<loops).map { _ in ChannelMeter() }
    }
}
