import EventLoop
import Logging
import Metrics
import NATS
import Sealing
import ToastAccess
import ToastCluster
import ToastCore
import ToastHub
import ToastStore

/// This process as a node of a cluster: the store that all nodes share, their common time, and the periodic work.
struct Cluster: Sendable {
    let store: JetStreamStore
    private let servers: [String]

    /// What makes the sessions and tickets of all nodes valid here.
    let credentials: ClusterCredentials

    let counters = ClusterCounters()
    private let seal: MessageSeal
    private let timekeeper: ClusterTimekeeper
    private let logger: Logger

    var clock: HubClock { self.timekeeper.hubClock }

    /// How often the common time and the documents of other nodes are asked for.
    private static let upkeepInterval = Duration.seconds(1)

    /// After how many rounds of the upkeep the deliveries are looked for that another node left behind.
    private static let deliveryRounds = 5

    /// Connects to a NATS cluster, and creates the streams if they are missing.
    ///
    /// - Throws: `clusterKey` when the file with the key is missing or wrong; `cluster` when no server lets this
    ///   process in, when the servers are too old, or when the streams have no leader.
    static func open(
        _ servers: [String],
        prefix: String,
        _ settings: ServerSettings,
        _ logger: Logger,
        tell: @escaping @Sendable (StoreNotice) -> Void
    ) async throws(StartError) -> Self {
        guard let path = settings.clusterKeyFile else { preconditionFailure("The settings name no cluster key.") }
        let key = try ClusterKey(contentsOf: path)
        let options = settings.jetStreamOptions(key, prefix: prefix, settings.retention)
        do throws(StoreError) {
            let store = try await JetStreamStore.open(servers, options, tell: tell)
            do throws(StoreError) {
                return Self(
                    store: store,
                    servers: servers,
                    credentials: ClusterCredentials(key: key, store: store),
                    seal: MessageSeal(key: key),
                    timekeeper: try await ClusterTimekeeper(store),
                    logger: logger
                )
            } catch {
                await store.close()
                throw error
            }
        } catch {
            throw .cluster(servers, error)
        }
    }

    /// A node on a loop, which does nothing before its start.
    func node(on loop: EventLoop) -> ClusterNode {
        let node = ClusterNode(
            loop: loop,
            bus: NATSBus(self.store.connection, prefix: self.store.subjects.bus, on: loop),
            seal: self.seal,
            pulses: JetStreamPulseLog(self.store),
            timedChannels: { [store = self.store] partitions async throws(StoreError) in
                try await store.timedChannels(inPartitions: partitions.map(\.index))
            },
            time: .continuous,
            counters: self.counters,
            version: ToastService.version
        )
        self.store.deliverOnly { node.owns($0) }
        return node
    }

    /// Has an authenticator learn which sessions other nodes have ended.
    func followEndedSessions(with authenticator: Authenticator) async throws(StartError) {
        do throws(StoreError) { try await authenticator.followEndedSessions() } catch {
            throw .cluster(self.servers, error)
        }
    }

    /// Keeps the node in the cluster until the task is cancelled.
    func run(_ node: ClusterNode, _ hub: Hub) async {
        self.logger.info("joining the cluster", metadata: ["node": "\(node.id)"])
        await node.start(hub)
        await withDiscardingTaskGroup { group in
            group.addTask { await self.beat(node) }
            group.addTask { await self.keepUp(node, hub) }
        }
    }

    private func beat(_ node: ClusterNode) async {
        while !Task.isCancelled {
            await node.tick()
            try? await Task.sleep(for: .nanoseconds(Membership.period.nanoseconds))
        }
    }

    private func keepUp(_ node: ClusterNode, _ hub: Hub) async {
        var round = 0
        var (isRight, hasJoined) = (true, false)
        var documents: UInt64?
        while !Task.isCancelled {
            let wasRight = isRight
            isRight = await self.timekeeper.sample()
            if isRight != wasRight { self.report(isClockRight: isRight) }
            await node.note(isClockRight: isRight)
            await self.reload(hub, since: &documents)
            if round.isMultiple(of: Self.deliveryRounds) { hub.wakeDispatcher() }
            let isJoined = hub.failure == nil
            if isJoined, !hasJoined { self.logger.info("joined the cluster") }
            // When all nodes stop together no channel has an owner; that is no loss.
            if !isJoined, hasJoined, !hub.isDraining { self.logger.critical("the cluster is lost, not ready") }
            hasJoined = isJoined
            round += 1
            try? await Task.sleep(for: Self.upkeepInterval)
        }
    }

    private func report(isClockRight: Bool) {
        let metadata: Logger.Metadata = ["seconds": "\(self.timekeeper.error)"]
        if isClockRight {
            self.logger.notice("the clock is right again", metadata: metadata)
        } else {
            self.logger.warning("the clock is off, so this node decides for no channel", metadata: metadata)
        }
    }

    /// Reloads the catalogs, hooks and default settings if any of them has changed.
    private func reload(_ hub: Hub, since version: inout UInt64?) async {
        do throws(StoreError) {
            let newest = try await self.store.documentsVersion()
            guard newest != version else { return }
            try await hub.refreshDocuments()
            version = newest
        } catch {
            // The store reports that it is lost; the next round tries again.
            if case .corrupt = error {
                self.logger.error("catalogs or defaults stay as they were", metadata: ["reason": "\(error)"])
            }
        }
    }
}
