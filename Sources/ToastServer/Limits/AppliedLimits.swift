package import ToastAccess
import ToastCore
package import ToastHub

/// Applies limits to the parts of a server that enforce them: one for the whole server, used by all loops.
package final class AppliedLimits: Sendable {
    let rates = RateLimits()
    private let hub: Hub
    private let authenticator: Authenticator?

    /// Applies the limits with which the server starts.
    package init(_ limits: ServiceLimits, of hub: Hub, _ authenticator: Authenticator? = nil) {
        self.hub = hub
        self.authenticator = authenticator
        self.adopt(limits)
    }

    /// Applies limits from now on; what already exceeds a new one stays, and still counts.
    package func adopt(_ limits: ServiceLimits) {
        self.rates.adopt(limits.rates)
        self.hub.streamQuotas.adopt(limits.streams)
        self.hub.limitChannels(to: limits.channels)
        self.hub.store.limitChannels(to: limits.storedChannels)
        self.hub.limitKeys(to: limits.idempotencyKeys)
        self.hub.limitQueues(to: limits.queue)
        self.authenticator?.limitAttempts(to: limits.attempts.map { (burst: $0.burst, interval: $0.interval) })
        self.hub.limitMemory(to: limits.memory)
    }
}
