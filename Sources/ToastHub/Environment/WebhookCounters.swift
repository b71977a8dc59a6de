package import Metrics

/// Counters of deliveries since the start, which the dispatcher changes.
package final class WebhookCounters: Sendable {
    /// Deliveries that their receivers accepted.
    package let delivered = Counter()

    /// Failed attempts; one delivery may fail many times.
    package let failedTries = Counter()

    /// Deliveries that were given up, without those that too many others for the same webhook displaced.
    package let givenUp = Counter()
}
