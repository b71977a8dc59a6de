import ToastCore

/// The state of a node's own work: its pulse, checks of other nodes, takeovers and releases.
struct OngoingWork {
    var isDraining = false

    /// Whether the node's pulse is open, as far as it knows.
    var hasPulse = false
    var isOpening = false
    /// The streams of the log to which a pulse is being written.
    var pulsing: Set<Int> = []
    var nextPulse = Instant(nanoseconds: .min)
    /// The nodes about which the log is being asked.
    var checked: Set<NodeID> = []

    /// After this node stood still: the instant from which it knows again which of its listeners have left.
    var settledFrom = Instant(nanoseconds: .min)

    /// The partitions whose channels with a deadline are to be loaded.
    var waking: Set<Partition> = []
    var isWaking = false

    /// When this node last became the owner of a partition.
    var lastGain = ContinuousClock.now

    /// Until when there may be channels in memory that another node owns.
    var releasesUntil = Instant(nanoseconds: .min)
    var isReleasing = false
}
