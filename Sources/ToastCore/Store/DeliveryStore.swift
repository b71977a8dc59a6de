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

    /// A delivery that is due.
    public init(id: DeliveryID, channel: ChannelName, url: WebhookURL) {
        self.id = id
        self.channel = channel
        self.url = url
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

/// What becomes of a delivery behind a try.
public enum Settlement: Hashable, Sendable {
    /// It leaves the outbox: delivered, or given up.
    case done

    /// It is tried again; until `resting`, if that is given, nothing else goes to its webhook either.
    case retry(at: Instant, resting: Instant?)

    /// It was not tried, and waits until then.
    case postponed(until: Instant)
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
    ///   - share: The most of them for one webhook, so that one for which much waits does not hide the others.
    /// - Returns: Which they are.
    /// - Throws: `unavailable` when nothing could be read.
    func dueDeliveries(at now: Instant, limit: Int, share: Int) async throws(StoreError) -> [DueDelivery]

    /// When the next delivery is due that is not due yet; `nil` when none waits.
    func nextDelivery(after now: Instant) async throws(StoreError) -> Instant?

    /// A delivery; `nil` when it has left the outbox.
    func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery?

    /// Says what became of a delivery; nothing happens when it has left the outbox.
    func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError)
}

/// The bounds of an outbox.
public enum Outbox {
    /// The deliveries that wait for one webhook at most, unless a retention says otherwise.
    public static let capacity = 1000
}
