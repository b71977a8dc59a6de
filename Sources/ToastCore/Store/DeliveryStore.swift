/// A message for a webhook, as it goes into the outbox together with the event that it tells of.
public struct NewDelivery: Hashable, Sendable {
    /// The webhook of the channel.
    public let webhook: WebhookURL

    /// The name of the message: the same for every try.
    public let message: String

    /// When the event happened: some days later the message is too old.
    public let at: Instant

    /// When the message is to be sent.
    ///
    /// By the clock of who sends it: the time of a channel that was written before the wall clock was set back runs ahead.
    public let due: Instant

    /// What is posted.
    public let payload: [UInt8]

    /// A message for a webhook, due when the event happened unless another instant is said.
    public init(webhook: WebhookURL, message: String, at: Instant, due: Instant? = nil, payload: [UInt8]) {
        self.webhook = webhook
        self.message = message
        self.at = at
        self.due = due ?? at
        self.payload = payload
    }
}

/// Names a delivery in its store; never used twice.
public struct DeliveryID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number, which grows from each delivery to the next.
    public let rawValue: Int64

    /// A name from its number.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Orders deliveries as they came into the outbox.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A delivery whose time has come: enough of it to decide when it goes out.
public struct DueDelivery: Hashable, Sendable {
    /// Its name.
    public let id: DeliveryID

    /// The channel of the webhook.
    public let channel: ChannelName

    /// The webhook of the channel.
    public let url: WebhookURL

    /// Whose share of the connections it takes: the principal who set the webhook, or the channel where nobody knows who did.
    public let owner: String

    /// A delivery that is due.
    ///
    /// - Parameters:
    ///   - id: Its name.
    ///   - channel: The channel of the webhook.
    ///   - url: The webhook of the channel.
    ///   - owner: The name of the principal who set the webhook; empty when nobody knows.
    public init(id: DeliveryID, channel: ChannelName, url: WebhookURL, owner: String = "") {
        self.id = id
        self.channel = channel
        self.url = url
        self.owner = owner.isEmpty ? "channel:\(channel)" : owner
    }
}

/// How much of what is due one webhook, and one owner of webhooks, may take of an answer.
public struct DeliveryShare: Hashable, Sendable {
    /// The most deliveries for one webhook.
    public let webhook: Int

    /// The most deliveries for all webhooks of one owner.
    public let owner: Int

    /// As many as there are.
    public static let unlimited = Self(webhook: .max, owner: .max)

    /// A share.
    public init(webhook: Int, owner: Int = .max) {
        self.webhook = webhook
        self.owner = owner
    }

    /// Chooses from what is due: the first of each webhook before the second of any.
    ///
    /// - Parameters:
    ///   - queues: For each webhook what is due, that first which has been due longest.
    ///   - limit: The most deliveries to choose.
    /// - Returns: What was chosen, those first that have been due longest.
    public func choose(from queues: [[(due: Instant, delivery: DueDelivery)]], limit: Int) -> [DueDelivery] {
        typealias Candidate = (turn: Int, due: Instant, delivery: DueDelivery)
        func isEarlier(_ left: Candidate, _ right: Candidate) -> Bool {
            (left.due, left.delivery.id) < (right.due, right.delivery.id)
        }
        var candidates: [Candidate] = queues.flatMap { queue in
            queue.prefix(self.webhook).enumerated().map { ($0, $1.due, $1.delivery) }
        }
        candidates.sort { $0.turn == $1.turn ? isEarlier($0, $1) : $0.turn < $1.turn }
        var owners: [String: Int] = [:]
        let fair = candidates.filter { candidate in
            owners[candidate.delivery.owner, default: 0] += 1
            return owners[candidate.delivery.owner, default: 0] <= self.owner
        }
        return fair.prefix(max(limit, 0)).sorted(by: isEarlier).map(\.delivery)
    }
}

/// A delivery as it waits in the outbox.
public struct StoredDelivery: Hashable, Sendable {
    /// The message.
    public let message: NewDelivery

    /// What signs it.
    public let secret: WebhookSecret

    /// How often it was tried.
    public let tries: Int

    /// A delivery as a store reads it.
    public init(message: NewDelivery, secret: WebhookSecret, tries: Int) {
        self.message = message
        self.secret = secret
        self.tries = tries
    }
}

/// A delivery that waits for a webhook, as those see it who manage the channel.
public struct WaitingDelivery: Hashable, Sendable {
    /// The name of its message.
    public let message: String

    /// When the event happened.
    public let at: Instant

    /// When it is sent, or sent again.
    public let due: Instant

    /// How often it was tried.
    public let tries: Int

    /// A delivery as a store reads it.
    public init(message: String, at: Instant, due: Instant, tries: Int) {
        self.message = message
        self.at = at
        self.due = due
        self.tries = tries
    }
}

/// What waits for a webhook.
public struct WaitingDeliveries: Hashable, Sendable {
    /// How many deliveries do.
    public let count: Int

    /// The first of them, oldest first.
    public let first: [WaitingDelivery]

    /// What a store read.
    public init(count: Int, first: [WaitingDelivery]) {
        self.count = count
        self.first = first
    }
}

/// What becomes of a delivery behind a try.
public enum Settlement: Hashable, Sendable {
    /// It leaves the outbox: delivered, or given up.
    case done

    /// It is tried again; until `resting`, if that is given, nothing else goes to its webhook either.
    case retry(at: Instant, resting: Instant?)

    /// It was not tried, and waits until then; until `resting`, if that is given, all else for its webhook does, too.
    case postponed(until: Instant, resting: Instant? = nil)
}

/// How full the outbox is, and what it lost.
public struct OutboxCounts: Hashable, Sendable {
    /// The deliveries that wait.
    public let waiting: Int

    /// The deliveries that were given up since the start because too many waited for the same webhook.
    public let displaced: Int

    /// Counts of an outbox.
    public init(waiting: Int, displaced: Int) {
        self.waiting = waiting
        self.displaced = displaced
    }
}

/// Where webhooks are kept, and what still has to be told to them.
///
/// Apart from the log of events, because secrets must never get into events, snapshots or streams. A delivery comes
/// in with ``Append/deliveries``, in one transaction with its event, and leaves by ``settle(_:_:)``; what was not
/// settled when the process ended is due again.
public protocol DeliveryStore: Sendable {
    /// How full the outbox is now.
    var outbox: OutboxCounts { get }

    /// Replaces the webhooks of a channel; ``EventStore/load(_:)`` gives them back.
    ///
    /// What waits for a webhook that is not in the list any more, or is switched off in it, is removed with it; what
    /// waits for the others stays.
    ///
    /// - Parameters:
    ///   - webhooks: The channel's webhooks from now on, in order.
    ///   - channel: The channel; known from now on if it was not.
    /// - Returns: How many deliveries were removed.
    /// - Throws: `unavailable` when nothing could be written.
    @discardableResult
    func setWebhooks(_ webhooks: [Webhook], of channel: ChannelName) async throws(StoreError) -> Int

    /// The deliveries that are due at an instant, those first that have been due longest.
    ///
    /// - Parameters:
    ///   - now: The instant.
    ///   - limit: The most deliveries to answer with.
    ///   - share: The most of them for one webhook and for one owner, so that one for whom much waits does not hide the others.
    /// - Returns: Which they are.
    /// - Throws: `unavailable` when nothing could be read.
    func dueDeliveries(at now: Instant, limit: Int, share: DeliveryShare) async throws(StoreError) -> [DueDelivery]

    /// When the next delivery is due that is not due yet; `nil` when none waits.
    func nextDelivery(after now: Instant) async throws(StoreError) -> Instant?

    /// A delivery; `nil` when it has left the outbox.
    func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery?

    /// What waits for a webhook of a channel: nothing when the channel has no such webhook.
    ///
    /// - Parameters:
    ///   - url: The webhook.
    ///   - channel: The channel.
    ///   - limit: The most deliveries to name; all are counted.
    /// - Returns: How many there are, and the oldest of them.
    /// - Throws: `unavailable` when nothing could be read.
    func waitingDeliveries(
        for url: WebhookURL,
        of channel: ChannelName,
        limit: Int
    ) async throws(StoreError) -> WaitingDeliveries

    /// Says what became of a delivery; nothing happens when it has left the outbox.
    func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError)
}

/// The bounds of an outbox.
public enum Outbox {
    /// The deliveries that wait for one webhook at most, unless a retention says otherwise.
    public static let capacity = 1000
}
