import ToastCore

/// Decides which delivery is sent next, from those that are due and those in flight.
///
/// Each owner has a share of the slots, so that an owner with many slow receivers leaves room for the others; each host
/// of an owner has a share of these. Half of a share is reserved for receivers that answered their last delivery in
/// good time. The others, which did not or have no delivery yet, are doubtful and cannot take that half.
///
/// Bounded: it holds as many deliveries as can be scanned cheaply; the rest stays in the store.
struct DeliveryScheduler {
    /// The number of deliveries in flight, and how many of them go to doubtful receivers.
    struct Load: Hashable {
        var all = 0
        var doubtful = 0

        fileprivate mutating func add(_ count: Int, isDoubtful: Bool) {
            self.all += count
            if isDoubtful { self.doubtful += count }
        }

        fileprivate func isBelow(_ limit: Self, isDoubtful: Bool) -> Bool {
            self.all < limit.all && (!isDoubtful || self.doubtful < limit.doubtful)
        }
    }

    private struct Host: Hashable {
        let owner: String
        let name: String

        init(_ delivery: DueDelivery) {
            self.owner = delivery.owner
            self.name = delivery.url.host
        }
    }

    /// The maximum number of deliveries in flight, in total.
    static let inAll = Load(all: 32, doubtful: 16)

    /// The maximum number of deliveries in flight per owner.
    static let perOwner = Load(all: 16, doubtful: 8)

    /// The maximum number of deliveries in flight per host of an owner.
    static let perHost = Load(all: 4, doubtful: 1)

    /// The maximum number of connections to doubtful receivers of one owner at one address, whatever their names.
    static let perAddress = 4

    /// The maximum number of deliveries held in addition to those in flight.
    static let capacity = 1024

    /// The maximum number of deliveries held per webhook and per owner, so that a slow receiver does not displace the
    /// others.
    static let share = DeliveryShare(webhook: 8, owner: 512)

    /// The maximum number of receivers remembered as answering; beyond it, all become doubtful again.
    private static let receiverLimit = 4096

    private var ready: [DueDelivery] = []
    /// The deliveries in flight, and whether each goes to a doubtful receiver.
    private var underWay: [DeliveryID: Bool] = [:]
    /// The deliveries that ended since the query for due ones began, whose result may still contain them.
    private var ended: Set<DeliveryID> = []
    private var load = Load()
    private var owners: [String: Load] = [:]
    private var hosts: [Host: Load] = [:]
    private var answering: Set<Receiver> = []

    /// The limit for the query for due deliveries: its result includes those in flight.
    var queryLimit: Int { self.underWay.count + Self.capacity }

    /// Call it before the query for due deliveries.
    mutating func beginRefill() {
        self.ended = []
    }

    /// Replaces the deliveries that are not in flight by the due ones.
    mutating func take(_ due: [DueDelivery]) {
        self.ready = due.filter { self.underWay[$0.id] == nil && !self.ended.contains($0.id) }
    }

    /// Takes the next delivery to send, which is then in flight; `nil` when there is none, or the limits are reached.
    ///
    /// Of those within the limits, it is the first one of the owner with the fewest deliveries in flight.
    mutating func next() -> DueDelivery? {
        var best: (index: Int, load: Int)?
        for (index, delivery) in self.ready.enumerated() {
            let load = self.owners[delivery.owner]?.all ?? 0
            guard load < best?.load ?? .max, self.mayGo(delivery) else { continue }
            best = (index, load)
            if load == 0 { break }
        }
        guard let best else { return nil }
        let delivery = self.ready.remove(at: best.index)
        let isDoubtful = self.isDoubtful(delivery)
        self.underWay[delivery.id] = isDoubtful
        self.change(by: 1, delivery, isDoubtful: isDoubtful)
        return delivery
    }

    /// Notes that a delivery is no longer in flight.
    mutating func end(_ delivery: DueDelivery) {
        guard let isDoubtful = self.underWay.removeValue(forKey: delivery.id) else { return }
        self.ended.insert(delivery.id)
        self.change(by: -1, delivery, isDoubtful: isDoubtful)
    }

    /// Drops the deliveries to a resting webhook that are not in flight.
    mutating func drop(_ url: WebhookURL, of channel: ChannelName) {
        self.ready.removeAll { $0.url == url && $0.channel == channel }
    }

    /// Notes whether a receiver has answered in good time.
    mutating func note(_ delivery: DueDelivery, isAnswering: Bool) {
        guard isAnswering else { return _ = self.answering.remove(Receiver(delivery)) }
        if self.answering.count >= Self.receiverLimit { self.answering = [] }
        self.answering.insert(Receiver(delivery))
    }

    /// Whether a delivery's receiver did not answer the last one in good time, or has had none.
    func isDoubtful(_ delivery: DueDelivery) -> Bool {
        !self.answering.contains(Receiver(delivery))
    }

    private func mayGo(_ delivery: DueDelivery) -> Bool {
        let isDoubtful = self.isDoubtful(delivery)
        return self.load.isBelow(Self.inAll, isDoubtful: isDoubtful)
            && (self.owners[delivery.owner] ?? Load()).isBelow(Self.perOwner, isDoubtful: isDoubtful)
            && (self.hosts[Host(delivery)] ?? Load()).isBelow(Self.perHost, isDoubtful: isDoubtful)
    }

    private mutating func change(by count: Int, _ delivery: DueDelivery, isDoubtful: Bool) {
        self.load.add(count, isDoubtful: isDoubtful)
        self.owners[delivery.owner, default: Load()].add(count, isDoubtful: isDoubtful)
        self.hosts[Host(delivery), default: Load()].add(count, isDoubtful: isDoubtful)
        if self.owners[delivery.owner]?.all == 0 { self.owners[delivery.owner] = nil }
        if self.hosts[Host(delivery)]?.all == 0 { self.hosts[Host(delivery)] = nil }
    }
}
