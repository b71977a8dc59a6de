import Synchronization
import ToastCore

/// Where a request to a channel goes.
enum Route: Hashable, Sendable {
    /// This node owns the channel.
    case here
    /// Another node owns it, or none.
    case elsewhere
    /// This node owns it, but does not serve it yet, or cannot know whether it still owns it or what its audience is.
    case uncertain
    /// This node has lost the log, and with it the other nodes.
    case cut
}

/// The owner of each partition, as this node knows it; read by all threads.
final class RouteTable: Sendable {
    private struct State {
        var owned = PartitionSet()
        var ownership = Ownership(among: [])
        /// Partitions that this node owns and does not serve yet, by the number of the gain.
        var opening: [Int: PartitionSet] = [:]
        var gains = 0
        var fence: ReadFence
        /// When the last acknowledged pulse was sent; nil before the first one.
        var lastPulse: Instant?
        /// When the node's last tick was; nil before its start.
        var lastTick: Instant?

        func stoodStill(at now: Instant) -> Bool {
            self.lastTick.map { now - $0 > RouteTable.standstill } ?? false
        }
    }

    /// If the last tick is longer ago than this, the process counts as having stood still: two periods.
    static let standstill = Interval(nanoseconds: 2 * Membership.period.nanoseconds)

    private let streams: Int
    private let state: Mutex<State>

    init(streams: Int) {
        self.streams = streams
        self.state = Mutex(State(fence: ReadFence(streams: streams)))
    }

    var owned: PartitionSet { self.state.withLock { $0.owned } }

    var ownership: Ownership { self.state.withLock { $0.ownership } }

    /// Changes what this node owns.
    ///
    /// - Returns: The number of the gain: its partitions are served after ``open(_:)``.
    func change(to owned: PartitionSet, _ ownership: Ownership) -> Int {
        self.state.withLock { state in
            state.gains += 1
            let gained = owned.subtracting(state.owned)
            if !gained.isEmpty { state.opening[state.gains] = gained }
            (state.owned, state.ownership) = (owned, ownership)
            return state.gains
        }
    }

    /// Serves the partitions of a gain from now on, as far as this node still owns them.
    func open(_ gain: Int) { self.state.withLock { $0.opening[gain] = nil } }

    /// Notes that a stream of the log has acknowledged a pulse.
    func confirm(stream: Int, sentAt instant: Instant) {
        self.state.withLock { state in
            state.fence.confirm(stream: stream, sentAt: instant)
            state.lastPulse = max(state.lastPulse ?? instant, instant)
        }
    }

    /// Why this node cannot serve; nil while it can, or has lost the log for at most `patience`.
    func failure(at now: Instant, after patience: Interval) -> StoreError? {
        self.state.withLock { state in
            guard let lastPulse = state.lastPulse, state.ownership.owner(of: Partition(0)) != nil else {
                return .unavailable("This node is joining the cluster.")
            }
            guard now - lastPulse > patience else { return nil }
            let seconds = (now - lastPulse).nanoseconds / 1_000_000_000
            return .unavailable("This node has lost the log for \(seconds) s.")
        }
    }

    /// Notes that this node's pulse is closed, or that the node leaves the cluster.
    func shut() { self.state.withLock { $0.fence.shut() } }

    /// Notes a tick of this node: all is done that was due, also what became due while the process stood still.
    func noteTick(at instant: Instant) { self.state.withLock { $0.lastTick = instant } }

    /// Whether the process stood still, and has not yet done what became due meanwhile: it was stopped, the machine was
    /// suspended, or its loop was too busy.
    ///
    /// What it knows may be outdated: audiences may have lapsed, and its own listeners may have left unnoticed.
    func stoodStill(at now: Instant) -> Bool { self.state.withLock { $0.stoodStill(at: now) } }

    /// Whether no stream of the log has acknowledged a pulse for ``ReadFence/length``, or the pulse is closed.
    func isCut(at now: Instant) -> Bool { self.state.withLock { $0.fence.isShut(at: now) } }

    /// Whether this node believes that it owns a partition; another node may have taken it over since.
    func owns(_ partition: Partition) -> Bool { self.state.withLock { $0.owned.contains(partition) } }

    /// Whether this node owns a partition for sure, and knows the audience of its channels.
    func serves(_ partition: Partition, at now: Instant) -> Bool { self.route(to: partition, at: now) == .here }

    func route(to partition: Partition, at now: Instant) -> Route {
        let stream = partition.index % self.streams
        return self.state.withLock { state in
            guard !state.fence.isShut(at: now) else { return .cut }
            guard state.owned.contains(partition) else { return .elsewhere }
            guard !state.opening.values.contains(where: { $0.contains(partition) }) else { return .uncertain }
            let isSure = state.fence.mayAnswer(stream: stream, at: now) && !state.stoodStill(at: now)
            return isSure ? .here : .uncertain
        }
    }
}
