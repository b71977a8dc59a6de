/// A message for a webhook, as it enters the delivery queue together with its event.
public struct NewDelivery: Hashable, Sendable {
    /// The webhook of the channel.
    public let webhook: WebhookURL

    /// The name of the message: the same for every try.
    public let message: String

    /// When the event happened; after some days the message is given up.
    public let at: Instant

    /// When the message is to be sent.
    ///
    /// By the dispatcher's clock: a channel's clock may be ahead of it after the wall clock was set back.
    public let due: Instant

    /// The body of the request.
    public let payload: [UInt8]

    /// A message for a webhook, due when the event happened unless another instant is given.
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

    /// Orders deliveries as they entered the queue.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A delivery that is due: what is needed to schedule it.
public struct DueDelivery: Hashable, Sendable {
    /// Its name.
    public let id: DeliveryID

    /// The channel of the webhook.
    public let channel: ChannelName

    /// The webhook of the channel.
    public let url: WebhookURL

    /// The owner of the share of connections that it takes: the principal who set the webhook.
    ///
    /// When that is unknown, it is the channel.
    public let owner: String

    /// A delivery that is due; the owner is empty when unknown.
    public init(id: DeliveryID, channel: ChannelName, url: WebhookURL, owner: String) {
        self.id = id
        self.channel = channel
        self.url = url
        self.owner = owner.isEmpty ? "channel:\(channel)" : owner
    }
}

/// A delivery as it waits in the queue.
public struct StoredDelivery: Hashable, Sendable {
    /// The message.
    public let message: NewDelivery

    /// The secret that signs it.
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

/// A delivery that waits for a webhook, as the managers of the channel see it.
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
    /// How many deliveries wait.
    public let count: Int

    /// The oldest of the waiting deliveries, oldest first.
    public let first: [WaitingDelivery]

    /// What a store read.
    public init(count: Int, first: [WaitingDelivery]) {
        self.count = count
        self.first = first
    }
}

/// What happens to a delivery after a try.
public enum Settlement: Hashable, Sendable {
    /// It leaves the queue: delivered, or given up.
    case done

    /// It is tried again at `at`; everything else for its webhook waits until `resting`, if given.
    case retry(at: Instant, resting: Instant?)

    /// It was not tried, and waits until `until`; everything else for its webhook waits until `resting`, if given.
    case postponed(until: Instant, resting: Instant? = nil)
}

/// How full the delivery queue is, and how many deliveries it dropped.
public struct DeliveryQueueCounts: Hashable, Sendable {
    /// The deliveries that wait.
    public let waiting: Int

    /// The deliveries that were given up since the start because too many waited for the same webhook.
    public let displaced: Int

    /// Counts of a queue.
    public init(waiting: Int, displaced: Int) {
        self.waiting = waiting
        self.displaced = displaced
    }
}
