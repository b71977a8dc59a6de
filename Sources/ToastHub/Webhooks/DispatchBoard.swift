import ToastCore

/// What is to go out and what is on its way: decides which delivery goes next.
///
/// Bounded: it takes as many as are worth to look through, and the rest stays in the store.
struct DispatchBoard {
    /// The most deliveries on their way, in all and to one host.
    static let (inAll, perHost) = (16, 4)

    /// How many deliveries are fetched beyond those that are here.
    static let page = 1024

    /// The most deliveries that are here for one webhook, and for one host: a receiver that takes its time must not keep the
    /// others from being looked at.
    static let (share, hostShare) = (8, 32)

    private var ready: [DueDelivery] = []
    private var underWay: Set<DeliveryID> = []
    private var hosts: [String: Int] = [:]

    /// How many are here.
    var count: Int { self.ready.count + self.underWay.count }

    /// Whether it is time to fetch more.
    var hasRoom: Bool { self.ready.count < Self.page }

    /// Adds those that are due and are not here yet.
    mutating func take(_ due: [DueDelivery]) {
        let known = self.underWay.union(self.ready.map(\.id))
        var counts = self.ready.reduce(into: [:]) { $0[$1.url.host, default: 0] += 1 }
        for delivery in due where !known.contains(delivery.id) {
            guard counts[delivery.url.host, default: 0] < Self.hostShare else { continue }
            counts[delivery.url.host, default: 0] += 1
            self.ready.append(delivery)
        }
    }

    /// The next delivery to send, from now on its way; `nil` when there is none, or enough is on its way.
    mutating func next() -> DueDelivery? {
        guard self.underWay.count < Self.inAll,
            let index = self.ready.firstIndex(where: { self.hosts[$0.url.host, default: 0] < Self.perHost })
        else { return nil }
        let delivery = self.ready.remove(at: index)
        self.underWay.insert(delivery.id)
        self.hosts[delivery.url.host, default: 0] += 1
        return delivery
    }

    /// A delivery is no longer on its way.
    mutating func end(_ delivery: DueDelivery) {
        self.underWay.remove(delivery.id)
        let left = self.hosts[delivery.url.host, default: 0] - 1
        self.hosts[delivery.url.host] = left > 0 ? left : nil
    }

    /// Forgets what has not gone out to a webhook: it rests.
    mutating func drop(_ url: WebhookURL, of channel: ChannelName) {
        self.ready.removeAll { $0.url == url && $0.channel == channel }
    }
}
