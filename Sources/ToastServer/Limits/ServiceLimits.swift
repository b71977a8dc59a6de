package import ToastCore
package import ToastHub

/// All limits of a server.
///
/// Those of documents and catalogs are fixed at the start; all others can be changed while the server runs.
package struct ServiceLimits: Hashable, Sendable {
    /// How often something may be done.
    package struct Rate: Hashable, Sendable {
        /// How often; `nil` for no limit.
        package let limit: RateLimit?

        /// Whether requests from this machine are not counted: they may be a backend's, or come from many clients
        /// through a proxy that is not among the trusted ones.
        package let sparesLocal: Bool

        package init(_ limit: RateLimit?, sparesLocal: Bool) {
            self.limit = limit
            self.sparesLocal = sparesLocal
        }
    }

    /// The rates of classes; a class without one has no limit.
    package var rates: [RateClass: Rate] = [:]

    /// How often a source may show an invalid credential.
    package var attempts = RateLimit.parse("1/min:30") ?? nil

    /// How many streams there may be.
    package var streams = StreamQuotas()

    /// The most channels in memory.
    package var channels = 200_000

    /// The most channels in the store.
    package var storedChannels = 1_000_000

    /// The most idempotency keys that are kept of a channel.
    package var idempotencyKeys = 100_000

    /// The most toasts that wait in a channel, whatever its settings say.
    package var queue = EffectiveSettings.capacities.upperBound

    /// The memory that the process may use, in bytes.
    package var memory = Int.max

    /// How much a document may hold.
    package var document = Limits.standard

    /// How much catalogs may hold.
    package var catalogs = CatalogLimits.standard

    /// The default limits, without rates.
    package init() {}
}
