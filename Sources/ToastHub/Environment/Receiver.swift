import ToastCore

/// A webhook of a channel, as the addressee of deliveries.
struct Receiver: Hashable {
    let channel: ChannelName
    let url: WebhookURL
}

extension Receiver {
    init(_ delivery: DueDelivery) {
        self.init(channel: delivery.channel, url: delivery.url)
    }
}
