import EventLoop
import Synchronization
import TestSupport
import ToastAccess
import ToastCore
import ToastStore

@testable import MicroHTTP
@testable import ToastCluster
@testable import ToastHub

/// Nodes on a shared log, connected by a simulated network, in simulated time.
///
/// The clock runs by itself from ``start()`` on: it moves when all loops are idle, so a slow machine makes a test slow,
/// and not wrong.
final class TestCluster: Sendable {
    let time: SimulatedTime
    let network: SimulatedNetwork
    let pulses: [MemoryPulses]
    let nodes: [TestNode]
    private let isOver = Atomic(false)
    private let runner = Mutex<Task<Void, Never>?>(nil)

    /// Makes nodes on one store; when split, each believes that it is the only one, and owns all partitions.
    ///
    /// The clock of the last node's channels is behind that of the others by `lag`.
    init(
        _ count: Int = 3,
        seed: UInt64 = 1,
        isSplit: Bool = false,
        lag: Interval = .zero,
        store: any Store = MemoryStore(),
        timing: ClusterTiming = ClusterTiming()
    ) throws {
        let time = SimulatedTime()
        let network = SimulatedNetwork(time: time, seed: seed)
        let pulses = (0..<(isSplit ? count : 1)).map { _ in MemoryPulses() }
        self.time = time
        self.network = network
        self.pulses = pulses
        var random = SplitMix64(seed: seed)
        let ids = (0..<count).map { _ in NodeID(using: &random) }
        self.nodes = try ids.enumerated().map { index, id in
            try TestNode(
                id: id,
                name: "node-\(index)",
                bus: SimulatedBus(node: id, network: network),
                pulses: pulses[isSplit ? index : 0].log(of: id),
                time: time.time,
                lag: index == count - 1 ? lag : .zero,
                timing: timing,
                store: store
            )
        }
        if isSplit { for one in ids { for other in ids where one < other { network.cut(one, other) } } }
    }

    /// Starts the clock and all nodes, and returns when each partition has an owner that serves it.
    func start() async {
        for node in self.nodes {
            for fanout in node.fanouts { await fanout.start() }
            await node.cluster.start(node.hub)
        }
        self.runner.withLock { $0 = Task { await self.run() } }
        await self.wait {
            self.nodes.allSatisfy { !$0.cluster.routes.owned.isEmpty }
                && self.nodes.reduce(0) { $0 + $1.cluster.routes.owned.count } >= Partition.count
                && self.nodes.allSatisfy { node in
                    node.cluster.routes.owned.partitions.allSatisfy {
                        node.cluster.routes.serves($0, at: self.time.now)
                    }
                }
        }
    }

    /// Ends the time.
    func stop() async {
        for node in self.nodes { await node.cluster.stop() }
        self.isOver.store(true, ordering: .relaxed)
        await self.runner.withLock { $0 }?.value
        for node in self.nodes {
            for loop in node.loops { loop.stop() }
        }
    }

    private func run() async {
        while !self.isOver.load(ordering: .relaxed) {
            self.time.advance(by: Interval(seconds: 0.01))
            for node in self.nodes { await node.tickIfDue(at: self.time.now) }
            await self.settle()
        }
    }

    /// Returns when all loops are idle, also after jobs that they gave each other.
    private func settle() async {
        for _ in 0..<3 {
            for node in self.nodes { for loop in node.loops { await loop.pass() } }
            await Task.yield()
        }
    }

    /// Returns when a condition holds; it is checked again and again while the simulated time goes on.
    func wait(until condition: () async throws -> Bool) async rethrows {
        let end = self.time.now + Interval(seconds: 120)
        while self.time.now < end, try await !condition() { await self.time.pause(Interval(seconds: 0.01)) }
    }

    /// The node that owns a channel.
    func owner(of channel: String) -> TestNode? { self.nodes.first { $0.cluster.owns(TestNode.name(channel)) } }

    /// The nodes that do not own a channel.
    func others(than channel: String) -> [TestNode] {
        self.nodes.filter { !$0.cluster.owns(TestNode.name(channel)) }
    }

    /// Ends a node as a power failure does: no message of it arrives any more.
    func kill(_ node: TestNode) {
        node.pause()
        for other in self.nodes where other !== node { self.network.cut(node.id, other.id) }
        for pulses in self.pulses { pulses.cut(node.id) }
    }
}

/// Starts a cluster for a test, and ends it.
func withCluster(_ cluster: TestCluster, _ test: (TestCluster) async throws -> Void) async throws {
    await cluster.start()
    do { try await test(cluster) } catch {
        await cluster.stop()
        throw error
    }
    await cluster.stop()
}

extension EventLoop {
    /// Returns when all work that is queued now is done.
    func pass() async {
        await withCheckedContinuation { continuation in self.execute { continuation.resume() } }
    }
}

/// One node of a test.
final class TestNode: Sendable {
    let id: NodeID
    let loops: [EventLoop]
    let hub: Hub
    let fanouts: [Fanout]
    let cluster: ClusterNode
    private let isPaused = Atomic(false)
    private let nextTick = Mutex(Instant(nanoseconds: .min))

    init(
        id: NodeID,
        name: String,
        bus: any Bus,
        pulses: any PulseLog,
        time: ClusterTime,
        lag: Interval,
        timing: ClusterTiming,
        store: any Store
    ) throws {
        let loops = try (0..<2).map { try EventLoop(name: "\(name)-\($0)") }
        let cluster = ClusterNode(
            id: id,
            loop: loops[0],
            bus: bus,
            seal: try .make(),
            pulses: pulses,
            timedChannels: { partitions async throws(StoreError) in
                try await Self.timedChannels(in: store, of: partitions)
            },
            time: time,
            timing: timing
        )
        let clock = HubClock { time.now().nanoseconds - EventLoop.now - lag.nanoseconds }
        let hub = Hub(loops: loops, store: store, clock: clock, gate: cluster)
        self.id = id
        self.loops = loops
        self.cluster = cluster
        self.hub = hub
        self.fanouts = loops.map { Fanout(loop: $0, hub: hub, limits: StreamLimits(count: 100)) }
    }

    /// The channels of some partitions that have a deadline, as the log has them.
    private static func timedChannels(
        in store: any Store,
        of partitions: [Partition]
    ) async throws(StoreError) -> [ChannelName] {
        let wanted = PartitionSet(partitions)
        var timed: [ChannelName] = []
        for name in try await store.channels(after: nil, limit: .max) where wanted.contains(Partition(of: name)) {
            let engine = try Engine(channel: name, epoch: store.epoch, try await store.load(name))
            if engine.nextDeadline != nil { timed.append(name) }
        }
        return timed
    }

    /// Stops the node's clock, as SIGSTOP does; messages of others wait.
    func pause(_ isPaused: Bool = true) { self.isPaused.store(isPaused, ordering: .relaxed) }

    func tickIfDue(at now: Instant) async {
        guard !self.isPaused.load(ordering: .relaxed), self.nextTick.withLock({ $0 <= now }) else { return }
        self.nextTick.withLock { $0 = now + Membership.period }
        await self.cluster.tick()
    }

    static func name(_ text: String) -> ChannelName {
        guard let name = ChannelName(rawValue: text) else { preconditionFailure("\(text) is no channel's name.") }
        return name
    }
}

// MARK: - Requests

extension TestNode {
    /// A request to publish a toast that lasts longer than a test does on any machine.
    static func request(_ message: String, key: String? = nil) throws -> PublishRequest {
        let draft = try ToastDraft(json: ["message": .string(message), "duration": 600])
        let request = key.map {
            IdempotentRequest(key: IdempotencyKey($0, of: "alice"), fingerprint: Array(message.utf8))
        }
        return PublishRequest([draft], key: request)
    }

    @discardableResult
    func publish(_ message: String, to channel: String = "ops") async throws -> Publication {
        let answer = try await self.perform(.publish(try Self.request(message)), on: channel)
        guard case .published(let publication) = answer else { throw UnexpectedAnswer() }
        return publication
    }

    @discardableResult
    func perform(_ request: ChannelRequest, on channel: String = "ops") async throws -> ChannelAnswer {
        try await self.hub.perform(request, on: Self.name(channel))
    }

    func summary(of channel: String = "ops") async throws -> ChannelSummary {
        guard case .summary(let summary) = try await self.perform(.read(.summary), on: channel) else {
            throw UnexpectedAnswer()
        }
        return summary
    }

    /// The messages of a channel's living toasts.
    func messages(of channel: String = "ops") async throws -> [String] {
        guard case .listing(let listing) = try await self.perform(.read(.toasts(nil)), on: channel) else {
            throw UnexpectedAnswer()
        }
        return listing.toasts.compactMap { $0.message?.text }
    }

    /// Opens an event stream.
    func listen(to channel: String = "ops", since cursor: String? = nil) async throws -> Listener {
        let request = StreamRequest(
            channels: [Self.name(channel)],
            isComposite: false,
            cursor: cursor.flatMap(Cursor.init)
        )
        return try await self.connect(try await self.fanouts[1].openEventStream(request))
    }

    /// Hands a socket over to a stream, and returns its other end.
    func connect(_ pending: PendingStream) async throws -> Listener {
        let (own, other) = try Listener.pair()
        await self.fanouts[1].give(Socket(owning: other), to: pending)
        return own
    }
}

extension Fanout {
    /// Hands over a socket as the server does: on the loop's thread.
    fileprivate func give(_ socket: Socket, to pending: PendingStream) {
        guard case .detach(let take, _, _) = pending.reply() else { return }
        take(socket)
    }
}

struct UnexpectedAnswer: Error {}
