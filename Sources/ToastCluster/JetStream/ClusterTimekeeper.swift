import EventLoop
import Synchronization
package import ToastCore
package import ToastHub
package import ToastStore

/// Keeps the time of the cluster: each ``sample()`` compares this machine's clock with that of a NATS server.
///
/// Local instants are readings of the loops' clock, ``EventLoop/now``.
package final class ClusterTimekeeper: Sendable {
    private let store: JetStreamStore
    private let clock: Mutex<ClusterClock>

    /// The clock of channels, which shows the time of the cluster.
    package var hubClock: HubClock { HubClock { self.lead } }

    /// Takes the first sample.
    ///
    /// - Throws: `unavailable` when the cluster does not tell its time.
    package init(_ store: JetStreamStore) async throws(StoreError) {
        guard let sample = await Self.sample(store) else {
            throw .unavailable("The NATS cluster does not tell its time: perhaps its streams have no leader.")
        }
        self.store = store
        self.clock = Mutex(ClusterClock(sample, at: Self.local))
    }

    /// Takes another sample, if the cluster answers.
    ///
    /// - Returns: Whether this node's time is right enough for owning partitions.
    package func sample() async -> Bool {
        if let sample = await Self.sample(self.store) { self.clock.withLock { $0.add(sample, at: Self.local) } }
        return self.clock.withLock { $0.mayOwn(at: Self.local) }
    }

    /// How far the server's clock is ahead of this node's time.
    package var error: Interval { self.clock.withLock { $0.error(at: Self.local) } }

    /// By how many nanoseconds the time of the cluster is ahead of the loops' clock.
    private var lead: Int64 {
        self.clock.withLock { clock in
            let local = Self.local
            return (clock.now(at: local) - local).nanoseconds
        }
    }

    private static var local: Instant { Instant(nanoseconds: EventLoop.now) }

    private static func sample(_ store: JetStreamStore) async -> ClockSample? {
        let sent = Self.local
        guard let server = await store.clusterTime() else { return nil }
        return ClockSample(sent: sent, received: Self.local, server: server)
    }
}

extension ClusterTime {
    /// The time since this machine was started, including the time while it was suspended.
    package static var continuous: Self {
        Self(
            now: { Instant(nanoseconds: EventLoop.bootTime) },
            // A task that is cancelled no longer waits.
            pause: { try? await Task.sleep(for: .nanoseconds($0.nanoseconds)) }
        )
    }
}
