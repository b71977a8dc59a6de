import ToastCore

/// What is to go out and what is on its way: decides which delivery goes next.
///
/// Each owner has a share of the slots, so that one with many receivers that take their time leaves room for the others, and so
/// has each host of an owner. Half of a share is for receivers that answered last time, and in good time: those that are
/// doubtful, because they did not, or because nothing was sent to them yet, cannot take it from them.
///
/// Bounded: it takes as many as are worth to look through, and the rest stays in the store.
struct DeliveryScheduler {
    /// The deliveries on their way, and how many of them go to doubtful receivers.
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

    /// A host as far as one owner sends to it.
    private struct Host: Hashable {
        let owner: String
        let name: String

        init(_ delivery: DueDelivery) {
            self.owner = delivery.owner
            self.name = delivery.url.host
        }
    }

    private struct Receiver: Hashable {
        let channel: ChannelName
        let url: WebhookURL

        init(_ delivery: DueDelivery) {
            self.channel = delivery.channel
            self.url = delivery.url
        }
    }

    /// The most deliveries on their way, in all.
    static let inAll = Load(all: 32, doubtful: 16)

    /// The most deliveries on their way for one owner.
    static let perOwner = Load(all: 16, doubtful: 8)

    /// The most deliveries on their way to one host for one owner.
    static let perHost = Load(all: 4, doubtful: 1)

    /// The most connections to doubtful receivers of one owner at one address, whatever their names.
    static let perAddress = 4

    /// How many deliveries are here at most beside those that are on their way.
    static let page = 1024

    /// The most deliveries that are here for one webhook, and for one owner: a receiver that takes its time must not keep the
    /// others from being looked at.
    static let share = DeliveryShare(webhook: 8, owner: 512)

    /// The most receivers that are remembered as answering; past it all are doubtful again.
    private static let receiverLimit = 4096

    private var ready: [DueDelivery] = []
    /// The deliveries on their way, and whether each goes to a doubtful receiver.
    private var underWay: [DeliveryID: Bool] = [:]
    /// What ended since the outbox was asked what is due: its answer may be older than that.
    private var ended: Set<DeliveryID> = []
    private var load = Load()
    private var owners: [String: Load] = [:]
    private var hosts: [Host: Load] = [:]
    private var answering: Set<Receiver> = []

    /// How many are here.
    var count: Int { self.ready.count + self.underWay.count }

    /// How many to ask the outbox for: those that are on their way are still in it.
    var pageWithUnderWay: Int { self.underWay.count + Self.page }

    /// To be called before the outbox is asked what is due.
    mutating func beginRefill() {
        self.ended = []
    }

    /// Takes what is due, in place of what was here and is not on its way.
    mutating func take(_ due: [DueDelivery]) {
        self.ready = due.filter { self.underWay[$0.id] == nil && !self.ended.contains($0.id) }
    }

    /// The next delivery to send, from now on its way; `nil` when there is none, or enough is on its way.
    ///
    /// Of those that may go, the first of the owner for whom least is on its way.
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

    /// A delivery is no longer on its way.
    mutating func end(_ delivery: DueDelivery) {
        guard let isDoubtful = self.underWay.removeValue(forKey: delivery.id) else { return }
        self.ended.insert(delivery.id)
        self.change(by: -1, delivery, isDoubtful: isDoubtful)
    }

    /// Forgets what has not gone out to a webhook: it rests.
    mutating func drop(_ url: WebhookURL, of channel: ChannelName) {
        self.ready.removeAll { $0.url == url && $0.channel == channel }
    }

    /// Notes whether a receiver has answered, and in good time.
    mutating func note(_ delivery: DueDelivery, isAnswering: Bool) {
        guard isAnswering else { return _ = self.answering.remove(Receiver(delivery)) }
        if self.answering.count >= Self.receiverLimit { self.answering = [] }
        self.answering.insert(Receiver(delivery))
    }

    /// Whether a delivery goes to a receiver that did not answer last time, or to which nothing was sent yet.
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
