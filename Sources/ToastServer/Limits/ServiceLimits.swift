public import ToastAccess
public import ToastCore
public import ToastHub

/// Everything that a server counts and can be told to stop at.
///
/// Those of documents and catalogs hold from the start; all others can be changed while the server runs.
public struct ServiceLimits: Hashable, Sendable {
    /// How often something may be done.
    public struct Rate: Hashable, Sendable {
        /// How often; `nil` as often as they like.
        public let limit: RateLimit?

        /// Whether requests of the same machine are not counted: those of a backend at loopback, or of a proxy that nobody
        /// named and behind which everybody is.
        public let sparesLocal: Bool

        /// A rule.
        public init(_ limit: RateLimit?, sparesLocal: Bool) {
            self.limit = limit
            self.sparesLocal = sparesLocal
        }

        /// What holds as long as nobody says otherwise.
        public static let standard: [RateClass: Self] = [
            .publish: Self(RateLimit(burst: 1000, interval: Interval(nanoseconds: 10_000_000)), sparesLocal: true),
            .change: Self(RateLimit(burst: 500, interval: Interval(nanoseconds: 20_000_000)), sparesLocal: true),
            .read: Self(RateLimit(burst: 1000, interval: Interval(nanoseconds: 10_000_000)), sparesLocal: true),
        ]
    }

    /// The classes that are counted.
    public var rates = Rate.standard

    /// How often somebody may show what is not valid.
    public var attempts = RateLimit.parse("1/min:30") ?? nil

    /// How many streams there may be.
    public var streams = StreamQuotas()

    /// The most channels in memory.
    public var channels = 200_000

    /// The most channels that are kept.
    public var storedChannels = 1_000_000

    /// The most idempotency keys that are kept of a channel.
    public var idempotencyKeys = 100_000

    /// The most toasts that wait in a channel, whatever its settings say.
    public var queue = EffectiveSettings.capacities.upperBound

    /// The memory that the process may take, in bytes.
    public var memory = Int.max

    /// How much a document may hold.
    public var document = Limits.standard

    /// How much catalogs may hold.
    public var catalogs = CatalogLimits.standard

    /// The limits of a server that was not told otherwise.
    public init() {}
}

/// The limits as they are now, and what they count: one for the whole server, used by all loops.
public final class LimitRegistry: Sendable {
    let rates = RateLimits()
    private let hub: Hub
    private let authenticator: Authenticator?

    /// Limits that a server goes by from its start.
    public init(_ limits: ServiceLimits, of hub: Hub, _ authenticator: Authenticator? = nil) {
        self.hub = hub
        self.authenticator = authenticator
        self.adopt(limits)
    }

    /// Goes by these limits from now on; what is there already stays, and takes the room of what comes.
    public func adopt(_ limits: ServiceLimits) {
        self.rates.adopt(limits.rates)
        self.hub.census.adopt(limits.streams)
        self.hub.limitChannels(to: limits.channels)
        self.hub.store.limitChannels(to: limits.storedChannels)
        self.hub.limitKeys(to: limits.idempotencyKeys)
        self.hub.limitQueues(to: limits.queue)
        self.authenticator?.limitAttempts(to: limits.attempts.map { (burst: $0.burst, interval: $0.interval) })
        self.hub.limitMemory(to: limits.memory)
    }
}
