/// The counters of the channels and webhooks since the start.
package final class HubCounters: Sendable {
    /// The counters of deliveries to webhooks.
    package let webhooks = WebhookCounters()

    /// The last delivery attempt for each webhook.
    package let attempts = DeliveryAttempts()

    /// The counters of channels, one object per loop.
    package let channels: [ChannelMeter]

    init(loops: Int) {
        self.channels = (0..<loops).map { _ in ChannelMeter() }
    }
}
