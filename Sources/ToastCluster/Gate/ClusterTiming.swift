package import ToastCore

/// Times and bounds of what nodes do for each other; the times of ownership are in ``Membership``.
package struct ClusterTiming: Sendable {
    /// The time between two pulses, and between two renewals of an audience.
    package var renewal = Interval(seconds: 1)

    /// The longest time after its last renewal for which an audience counts.
    package var audienceLifetime = Interval(seconds: 5)

    /// The age at which a renewal lapses: one tick less than ``audienceLifetime``, as lapses are found once per tick.
    package var renewalLifetime: Interval { self.audienceLifetime - Membership.period }

    /// The time to wait for one reply of an owner.
    package var attempt = Interval(seconds: 2.5)

    /// The time to wait for a reply after the partition has got a new owner: the old one may have ended without
    /// replying.
    package var handover = Interval(seconds: 0.5)

    /// The time for which a request is repeated.
    package var repetition = Interval(seconds: 10)

    /// The pause before a request is repeated.
    package var pause = Interval(seconds: 0.1)

    /// How long after a loss of partitions their channels are removed again when loaded; no request takes longer.
    package var release = Interval(seconds: 15)

    /// The time without the log after which a node says that it cannot serve.
    package var readiness = Interval(seconds: 10)

    /// The maximum number of requests of other nodes in progress.
    package var requests = 4096

    /// The maximum number of channels that are loaded at a time, because other nodes have listeners of them.
    package var loads = 16

    /// The usual times.
    package init() {}
}

/// The time as a node sees it; tests replace it.
package struct ClusterTime: Sendable {
    /// The current instant, by a clock that never goes backwards.
    package let now: @Sendable () -> Instant

    /// Returns after a time.
    package let pause: @Sendable (Interval) async -> Void
}
