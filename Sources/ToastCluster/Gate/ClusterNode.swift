package import EventLoop
import Synchronization
package import ToastCore
package import ToastHub

/// This process among the nodes of a cluster: the gate of its hub, the service of the channels that it owns, and the
/// listeners that follow channels.
///
/// An actor of one loop. A request from this process enters the actor only to join a channel.
package actor ClusterNode: LoopActor {
    /// Tells which channels of some partitions have a deadline.
    package typealias TimedChannels = @Sendable ([Partition]) async throws(StoreError) -> [ChannelName]

    /// The loop that runs the node's own work.
    package nonisolated let loop: EventLoop

    /// The name of the node.
    package nonisolated let id: NodeID

    /// The node's counters, for metrics.
    package nonisolated let counters: ClusterCounters

    nonisolated let bus: any Bus
    nonisolated let seal: MessageSeal
    nonisolated let pulses: any PulseLog
    /// Tells a new owner which channels to load.
    nonisolated let timedChannels: TimedChannels
    nonisolated let timing: ClusterTiming
    nonisolated let time: ClusterTime
    nonisolated let routes: RouteTable
    /// The random numbers for the ids of toasts.
    nonisolated let random = Mutex(RandomBlock())
    /// The hub of this process; nil before the start and after the end.
    nonisolated let localHub = Mutex<Hub?>(nil)
    /// Whether this node's clock was right at the last ``note(isClockRight:)``.
    private nonisolated let isClockRight = Atomic(true)
    /// The version of the program, for other nodes.
    private let version: String

    var membership: Membership
    var work = OngoingWork()
    var subscriptions: [BusAddress: BusCancellation] = [:]

    /// The listeners of other nodes, and of this one, in channels that this node owns.
    var audience = RemoteAudience()
    /// The requests of other nodes; ``ClusterTiming/requests`` at most.
    var requestsInProgress = 0
    var pieces: PieceStore

    /// The channels with listeners at this node, of any owner.
    var followed = FollowedChannels()

    /// A node that does nothing before its start.
    ///
    /// The clock of `time` must go on while the process is stopped or the machine is suspended.
    package init(
        id: NodeID = .random(),
        loop: EventLoop,
        bus: any Bus,
        seal: MessageSeal,
        pulses: any PulseLog,
        timedChannels: @escaping TimedChannels,
        time: ClusterTime,
        timing: ClusterTiming = ClusterTiming(),
        counters: ClusterCounters = ClusterCounters(),
        version: String = ""
    ) {
        self.id = id
        self.loop = loop
        self.bus = bus
        self.seal = seal
        self.pulses = pulses
        self.timedChannels = timedChannels
        self.time = time
        self.timing = timing
        self.counters = counters
        self.version = version
        self.routes = RouteTable(streams: pulses.streams)
        self.membership = Membership(node: id)
        self.pieces = PieceStore(node: id, limit: bus.limit, seal: seal)
    }

    nonisolated var hub: Hub? { self.localHub.withLock { $0 } }

    /// The sending time in a message with an audience; the owner counts the audience from then on.
    ///
    /// Nil while this node's clock is wrong, because the owner would take the message for an old one.
    nonisolated var sendingTime: Instant? { self.isClockRight.load(ordering: .relaxed) ? self.hub?.now : nil }

    /// Joins the cluster with the hub that has this node as its gate.
    package func start(_ hub: Hub) {
        guard self.hub == nil else { return }
        self.localHub.withLock { $0 = hub }
        for address in [BusAddress.all, .node(self.id)] { self.subscribe(address) }
        self.tick()
    }

    /// Does what is due: call it once per ``Membership/period``.
    package func tick() {
        guard self.hub != nil else { return }
        let now = self.time.now()
        self.keepPulse(at: now)
        for check in self.membership.advance(at: now) { self.ask(check) }
        self.updateOwnership(at: now)
        self.beat(at: now)
        self.lapse(at: now)
        self.pieces.expire(at: now)
        self.releaseLost(at: now)
        self.wakeGained()
        if self.routes.stoodStill(at: now) {
            // By then the server has noticed which connections were closed while the process stood still.
            self.work.settledFrom = now + Membership.period
        } else if now >= self.work.settledFrom {
            self.renewChanged()
            if self.followed.isRenewalDue(at: now, every: self.timing.renewal) { self.renewAll() }
        }
        self.routes.noteTick(at: now)
    }

    /// Sets whether this node's clock is right enough to decide for channels, and to say when a message was sent.
    package func note(isClockRight: Bool) {
        self.isClockRight.store(isClockRight, ordering: .relaxed)
        guard !self.work.isDraining else { return }
        self.membership.allowOwning(isClockRight)
        self.updateOwnership(at: self.time.now())
    }

    /// Hands all partitions over, and waits for the requests of other nodes in progress; listeners here stay.
    ///
    /// It waits for ``ClusterTiming/repetition`` at most, and not at all in a cancelled task.
    package func drain() async {
        self.work.isDraining = true
        self.membership.allowOwning(false)
        let now = self.time.now()
        self.updateOwnership(at: now)
        self.beat(at: now)
        let end = now + self.timing.repetition
        // A pause in a cancelled task is none, so the loop would only take the processor's time.
        while self.requestsInProgress > 0, !Task.isCancelled, self.time.now() < end {
            await self.time.pause(self.timing.pause)
        }
    }

    /// Leaves the cluster; a cancelled task does not wait for a pulse that is just being opened.
    package func stop() async {
        guard self.hub != nil else { return }
        for cancel in self.subscriptions.values { cancel() }
        self.subscriptions = [:]
        self.membership.end()
        self.updateOwnership(at: self.time.now())
        self.routes.shut()
        self.localHub.withLock { $0 = nil }
        // A pulse that is just being opened would stay open.
        let end = self.time.now() + self.timing.attempt
        while self.work.isOpening, !Task.isCancelled, self.time.now() < end {
            await self.time.pause(self.timing.pause)
        }
        // If the log does not answer, the other nodes close the pulse after a while.
        try? await self.pulses.close(self.id)
    }

    func beat(at now: Instant) {
        let heartbeat = Heartbeat(
            node: self.id,
            version: self.version,
            instant: self.hub?.now ?? now,
            claim: self.membership.makeClaim()
        )
        self.bus.publish(heartbeat.encoded(), to: .all)
    }

    func subscribe(_ address: BusAddress) {
        guard self.subscriptions[address] == nil else { return }
        self.subscriptions[address] = self.bus.subscribe(address) { [self] body, reply in
            self.execute { $0.receive(body, reply) }
        }
    }
}
