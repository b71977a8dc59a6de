import Synchronization
import ToastCore

@testable import ToastCluster

/// A clock that a test moves.
final class SimulatedTime: Sendable {
    private struct State {
        var now = Instant(nanoseconds: 1_000_000_000_000)
        var waiting: [(at: Instant, wake: @Sendable () -> Void)] = []
        var pauseCount = 0
    }

    private let state = Mutex(State())

    var now: Instant { self.state.withLock { $0.now } }

    var time: ClusterTime {
        ClusterTime(now: { self.now }, pause: { interval in await self.pause(interval) })
    }

    /// The time for code that shall not pause: a pause moves the clock by itself, and is counted in ``pauseCount``.
    var countingTime: ClusterTime {
        ClusterTime(
            now: { self.now },
            pause: { interval in
                self.state.withLock { $0.pauseCount += 1 }
                self.advance(by: interval)
            }
        )
    }

    /// How many pauses ``countingTime`` has had.
    var pauseCount: Int { self.state.withLock { $0.pauseCount } }

    /// Returns when the clock has been moved by an interval.
    func pause(_ interval: Interval) async {
        await withCheckedContinuation { continuation in
            self.call(after: interval) { continuation.resume() }
        }
    }

    /// Calls a closure when the clock has been moved by an interval.
    func call(after interval: Interval, _ wake: @escaping @Sendable () -> Void) {
        self.state.withLock { $0.waiting.append(($0.now + interval, wake)) }
    }

    /// Moves the clock, and calls the closures that are due, in the order of their deadlines.
    func advance(by interval: Interval) {
        let due = self.state.withLock { state in
            state.now = state.now + interval
            let now = state.now
            // A stable sort: closures that are due at the same time are called in the order of their scheduling.
            let due = state.waiting.filter { $0.at <= now }.enumerated()
                .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            state.waiting.removeAll { $0.at <= now }
            return due.map(\.element.wake)
        }
        for wake in due { wake() }
    }
}
