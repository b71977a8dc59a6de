import Synchronization
import ToastCore

/// The names of all channels, as the cluster had them not long ago, and as this process changed them since.
///
/// A name takes about a hundred bytes; there are as many as ``ChannelDirectory/limitChannels(to:)`` allows, in all
/// nodes together.
final class ChannelIndex: Sendable {
    private enum Change {
        case added(ChannelName, Instant?)
        case removed(ChannelName)
    }

    private struct State {
        var names: [ChannelName: Instant?] = [:]
        var sorted: [ChannelName]?
        /// What this process changed since the refresh under way began.
        var changes: [Change]?
        /// When the last refresh began and ended.
        var refresh: (start: ContinuousClock.Instant, end: ContinuousClock.Instant)?
        var limit = Int.max

        mutating func apply(_ change: Change) {
            self.sorted = nil
            switch change {
            case .added(let name, let at): self.names[name] = .some(at)
            case .removed(let name): self.names[name] = nil
            }
        }

        mutating func note(_ change: Change) {
            self.changes?.append(change)
            if self.refresh != nil { self.apply(change) }
        }
    }

    private let state = Mutex(State())

    /// The most channels that there may be.
    var limit: Int {
        get { self.state.withLock { $0.limit } }
        set { self.state.withLock { $0.limit = newValue } }
    }

    var count: Int { self.state.withLock { $0.names.count } }

    /// Whether to read the names again: after a second, or 20 times the duration of the last reading if that is longer.
    ///
    /// Always if the last reading began before `instant`.
    func isStale(at now: ContinuousClock.Instant, since instant: ContinuousClock.Instant?) -> Bool {
        self.state.withLock { state in
            guard let refresh = state.refresh else { return true }
            if let instant, refresh.start < instant { return true }
            return now - refresh.end > max(.seconds(1), (refresh.end - refresh.start) * 20)
        }
    }

    /// Notes that this process added a channel; its last event happened at an instant, if it has one.
    func add(_ name: ChannelName, at instant: Instant?) { self.state.withLock { $0.note(.added(name, instant)) } }

    func remove(_ name: ChannelName) { self.state.withLock { $0.note(.removed(name)) } }

    /// Begins to read the names; what this process changes meanwhile is applied to what was read.
    func beginRefresh() { self.state.withLock { $0.changes = [] } }

    /// Ends a refresh: what this process changes from now on is not kept for it.
    func endRefresh() { self.state.withLock { $0.changes = nil } }

    /// Takes all names, with the instants of their last events.
    func finishRefresh(
        _ names: [ChannelName: Instant?],
        begunAt start: ContinuousClock.Instant,
        at end: ContinuousClock.Instant
    ) {
        self.state.withLock { state in
            state.names = names
            for change in state.changes ?? [] { state.apply(change) }
            (state.changes, state.sorted, state.refresh) = (nil, nil, (start, end))
        }
    }

    /// Names in order, after one if it is given, with the instants of their last events.
    func names(after name: ChannelName?, limit: Int) -> [(name: ChannelName, at: Instant?)] {
        self.state.withLock { state in
            let sorted = state.sorted ?? state.names.keys.sorted()
            state.sorted = sorted
            var (low, high) = (0, sorted.count)
            while let name, low < high {
                let middle = (low + high) / 2
                if sorted[middle] <= name { low = middle + 1 } else { high = middle }
            }
            return sorted[low...].prefix(max(limit, 0)).map { ($0, state.names[$0] ?? nil) }
        }
    }
}
