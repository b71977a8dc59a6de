package import ToastCore

/// Whether an owner may answer from what it has in memory: only while the log has lately acknowledged its pulse.
///
/// Each stream of the log acknowledges the node's pulse each second, by a quorum. Three seconds after the last
/// acknowledged pulse was *sent*, the fence of that stream shuts: later another node may already own the partitions
/// (``Membership``). It counts from the sending, because an acknowledgement may be on its way for any time.
///
/// To answer a read, take the state and check the fence in one step. If the process is then stopped before it sends the
/// answer, the answer is late, but was true at a time after the request had arrived.
///
/// All instants are readings of one clock of this machine that never goes backwards and does not stand still while the
/// machine is suspended (`CLOCK_BOOTTIME`).
package struct ReadFence: Sendable {
    /// How long after the sending of an acknowledged pulse reads are answered.
    package static let length = Interval(seconds: 3)

    /// When the last acknowledged pulse of each stream was sent.
    private var confirmed: [Instant?]

    /// A fence that is shut, for a log of so many streams.
    package init(streams: Int) {
        self.confirmed = Array(repeating: nil, count: streams)
    }

    /// Notes that a stream has acknowledged a pulse.
    package mutating func confirm(stream: Int, sentAt instant: Instant) {
        guard self.confirmed.indices.contains(stream) else { return }
        self.confirmed[stream] = max(self.confirmed[stream] ?? instant, instant)
    }

    /// Shuts it: the log has closed this node's pulse, or the node leaves the cluster.
    package mutating func shut() { self.confirmed = self.confirmed.map { _ in nil } }

    /// Whether reads of the partitions of a stream may be answered.
    package func mayAnswer(stream: Int, at now: Instant) -> Bool {
        guard self.confirmed.indices.contains(stream), let sent = self.confirmed[stream] else { return false }
        return now - sent < Self.length
    }

    /// Whether reads of no stream may be answered.
    package func isShut(at now: Instant) -> Bool {
        !self.confirmed.indices.contains { self.mayAnswer(stream: $0, at: now) }
    }
}
