import ToastCore

/// The deliveries that this process is to send, as far as it knows: those that it appended, and those that it found.
///
/// Bounded by ``limit``; deliveries past it are found by a refresh once others have left. A hint only: changes are
/// compare-and-sets.
struct DeliveryIndex: Sendable {
    struct Entry: Sendable {
        let id: DeliveryID
        var header: DeliveryHeader
        var sequence: UInt64
        /// Until when its webhook rests, as far as this process knows; `nil` when it does not rest.
        var resting: Instant?

        /// When it is to be sent.
        var due: Instant { max(self.header.due, self.resting ?? self.header.due) }
    }

    /// The most deliveries: about 40 MiB.
    private static let limit = 131_072

    private(set) var entries: [DeliveryPlace: Entry] = [:]
    private var webhooks: [WebhookKey: Set<DeliveryPlace>] = [:]
    private var places: [DeliveryID: DeliveryPlace] = [:]
    private var nextID: Int64

    /// How many were given up because too many waited.
    var displaced = 0

    /// When the cluster was last asked for what waits.
    var refreshed: ContinuousClock.Instant?

    /// The logs that did not answer then, and have not answered since.
    var silentLogs: Set<Int> = []

    /// An index whose ids follow `firstID`: the start of the process in microseconds, so that no id is used again.
    init(firstID: Int64 = 0) { self.nextID = firstID }

    /// The name of a delivery in the cluster.
    func place(of id: DeliveryID) -> DeliveryPlace? { self.places[id] }

    /// Adds a delivery, or updates it.
    mutating func add(_ place: DeliveryPlace, _ header: DeliveryHeader, sequence: UInt64) {
        if let entry = self.entries[place] {
            if sequence > entry.sequence { self.set(place, header, sequence: sequence) }
            return
        }
        guard self.entries.count < Self.limit else { return }
        self.nextID += 1
        let id = DeliveryID(rawValue: self.nextID)
        self.entries[place] = Entry(id: id, header: header, sequence: sequence)
        self.places[id] = place
        self.webhooks[place.webhook, default: []].insert(place)
    }

    mutating func remove(_ place: DeliveryPlace) {
        guard let entry = self.entries.removeValue(forKey: place) else { return }
        self.places[entry.id] = nil
        self.webhooks[place.webhook]?.remove(place)
        if self.webhooks[place.webhook]?.isEmpty == true { self.webhooks[place.webhook] = nil }
    }

    mutating func removeAll(of channel: ChannelName) {
        for place in self.entries.keys where place.channel == channel { self.remove(place) }
    }

    mutating func removeAll(for webhook: WebhookKey) {
        for place in self.webhooks[webhook] ?? [] { self.remove(place) }
    }

    /// The highest sequence of what waits for a webhook; `nil` when nothing does.
    func lastSequence(for webhook: WebhookKey) -> UInt64? {
        self.webhooks[webhook]?.lazy.compactMap { self.entries[$0]?.sequence }.max()
    }

    /// Removes and counts the oldest deliveries of webhooks for which too many wait.
    mutating func takeSurplus(for webhooks: Set<WebhookKey>, atMost count: Int) -> [DeliveryPlace] {
        var surplus: [DeliveryPlace] = []
        for webhook in webhooks {
            guard let places = self.webhooks[webhook], places.count > count else { continue }
            surplus += places.sorted().dropLast(count)
        }
        for place in surplus { self.remove(place) }
        self.displaced += surplus.count
        return surplus
    }

    /// Lets all other deliveries to a delivery's webhook rest until an instant.
    mutating func rest(until instant: Instant, with place: DeliveryPlace) {
        for other in self.webhooks[place.webhook] ?? [] where other != place {
            let former = self.entries[other]?.resting ?? instant
            self.entries[other]?.resting = max(former, instant)
        }
    }

    /// Ends the rest of a delivery: it was moved to an instant of its own.
    mutating func wake(_ place: DeliveryPlace) { self.entries[place]?.resting = nil }

    /// Notes a change of a delivery that this process made.
    mutating func set(_ place: DeliveryPlace, _ header: DeliveryHeader, sequence: UInt64) {
        self.entries[place]?.header = header
        self.entries[place]?.sequence = sequence
    }

    /// The due deliveries of each webhook, longest due first.
    func due(at instant: Instant) -> [WebhookKey: [Entry]] {
        var queues: [WebhookKey: [Entry]] = [:]
        for (place, entry) in self.entries where entry.due <= instant {
            queues[place.webhook, default: []].append(entry)
        }
        return queues.mapValues { $0.sorted { ($0.due, $0.id) < ($1.due, $1.id) } }
    }

    /// When the next delivery is due after an instant.
    func next(after now: Instant) -> Instant? { self.entries.values.lazy.map(\.due).filter { $0 > now }.min() }
}
