/// What happened since the start, for each loop.
public final class HubCounters: Sendable {
    /// What became of deliveries to webhooks.
    public let webhooks = WebhookCounters()

    /// What the channels did, by their loops.
    public let channels: [ChannelMeter]

    init(loops: Int) {
        self.channels = (0..<loops).map { _ in ChannelMeter() }
    }
}
