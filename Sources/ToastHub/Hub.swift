public import EventLoop
public import MicroHTTP
import Synchronization
public import ToastCore

/// All channels at work, spread over the loops.
///
/// A channel lives on the loop that its name hashes to; streams live on the loop that accepted their connection.
public final class Hub: Sendable {
    /// Where the channels are kept.
    public let store: any Store

    /// What localized texts say.
    public let catalogs: Catalogs

    /// What holds for channels that say nothing themselves.
    public let defaults: ServerDefaults

    /// What happened since the start.
    public let counters: HubCounters

    /// How many streams there are, and may be.
    public let census = StreamQuotaCounter()

    let askers = AskerCount()

    /// What long answers, and pages of history, that have not gone out may take.
    public let outputBudget = MemoryBudget(bytes: .max)

    let clock: HubClock
    /// Rings when a delivery was stored.
    let bell = DeliveryBell()
    private let registries: [Registry]
    let quota = ChannelQuota()
    private let draining = Atomic(false)

    /// Whether the server is about to stop, so that requests should go elsewhere.
    public var isDraining: Bool { self.draining.load(ordering: .relaxed) }

    /// The life that cursors belong to.
    public var epoch: Epoch { self.store.epoch }

    /// A hub on some loops, at least one; `answers` writes the answers that repetitions of requests get.
    package init(
        loops: [EventLoop],
        store: any Store,
        clock: HubClock,
        answers: any AnswerWriter,
        catalogs: Catalogs = Catalogs(),
        defaults: ServerDefaults = ServerDefaults()
    ) {
        self.store = store
        self.catalogs = catalogs
        self.defaults = defaults
        self.clock = clock
        let (counters, bell, quota) = (HubCounters(loops: loops.count), self.bell, self.quota)
        self.counters = counters
        self.registries = zip(loops, counters.channels).map { loop, meter in
            let context = ChannelContext(
                loop: loop,
                store: store,
                clock: clock,
                catalogs: catalogs,
                defaults: defaults,
                meter: meter,
                bell: bell,
                quota: quota,
                answers: answers
            )
            return Registry(context)
        }
    }

    /// Says that the server is about to stop; everything goes on for now.
    public func announceDrain() {
        self.draining.store(true, ordering: .relaxed)
    }

    /// Starts to let go of channels that are idle.
    public func start() async {
        for registry in self.registries { await registry.start() }
    }

    /// Lets at most so many channels be in memory, spread over the loops; those that are there stay.
    public func limitChannels(to count: Int) {
        // Names are hashed, so a loop may have a few more than its share while another has fewer.
        let share = (count + self.registries.count - 1) / self.registries.count
        self.quota.perLoop.store(max(1, share), ordering: .relaxed)
    }

    /// Has all loaded channels take the ``defaults`` as they are now.
    public func heedDefaults() {
        for registry in self.registries {
            registry.loop.execute { registry.assumeIsolated { $0.heedDefaults() } }
        }
    }

    /// Lets go of all that can be read again.
    func forgetIdle() {
        for registry in self.registries {
            registry.loop.execute { registry.assumeIsolated { $0.forgetIdle() } }
        }
    }

    /// Has a channel do what a request says, on the channel's own loop: the one entrance to all channels.
    ///
    /// - Throws: Why it was not done; `tooManyChannels` or `outOfMemory` when there is no room for one more channel.
    package func perform(_ request: ChannelRequest, on name: ChannelName) async throws(ChannelError) -> ChannelAnswer {
        try await self.registry(of: name).perform(request, on: name)
    }

    /// Where a channel lives.
    func registry(of name: ChannelName) -> Registry { self.registries[self.home(of: name)] }

    /// Has every loop find out how long its longest queue is.
    ///
    /// - Parameters:
    ///   - loop: The caller's loop.
    ///   - patience: How long to wait, in nanoseconds; a loop that is busy for longer is left with what it last said.
    public func takeCensus(on loop: EventLoop, patience: Int64 = 250_000_000) async {
        await withCheckedContinuation { continuation in
            let census = Census(of: self.registries.count, continuation)
            for registry in self.registries {
                registry.loop.execute {
                    registry.assumeIsolated { $0.measure() }
                    census.arrive()
                }
            }
            _ = loop.schedule(at: EventLoop.now + patience, census)
        }
    }

    /// FNV-1a: Swift's own hashes differ from run to run, and where a channel lives should not.
    private func home(of name: ChannelName) -> Int {
        guard self.registries.count > 1 else { return 0 }
        let hash = name.rawValue.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Int(hash % UInt64(self.registries.count))
    }
}

/// Goes on when all loops have done what they were asked, or when the time is up.
private final class Census: Sleeper {
    private let state: Mutex<(left: Int, continuation: CheckedContinuation<Void, Never>?)>

    init(of count: Int, _ continuation: CheckedContinuation<Void, Never>) {
        self.state = Mutex((count, continuation))
    }

    func arrive() {
        self.goOn { $0 == 0 }
    }

    func wake(token: Int) {
        self.goOn { _ in true }
    }

    private func goOn(when isEnough: (Int) -> Bool) {
        let continuation = self.state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.left -= 1
            guard isEnough(state.left) else { return nil }
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }
}
