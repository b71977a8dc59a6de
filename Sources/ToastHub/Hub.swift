public import EventLoop
import Synchronization
public import ToastCore

/// All channels at work, spread over the loops.
///
/// A channel lives on the loop that its name hashes to; streams live on the loop that accepted their connection.
public final class Hub: Sendable {
    /// Where the channels are kept.
    public let store: any EventStore

    /// What localized texts say.
    public let catalogs: Catalogs

    /// What happened since the start.
    public let counters = HubCounters()

    let clock: HubClock
    /// Rings when a delivery was stored.
    let bell = DeliveryBell()
    private let registries: [Registry]
    private let draining = Atomic(false)

    /// Whether the server is about to stop, so that requests should go elsewhere.
    public var isDraining: Bool { self.draining.load(ordering: .relaxed) }

    /// The life that cursors belong to.
    public var epoch: Epoch { self.store.epoch }

    /// A hub on some loops, at least one.
    public init(loops: [EventLoop], store: any EventStore, clock: HubClock, catalogs: Catalogs = Catalogs()) {
        self.store = store
        self.catalogs = catalogs
        self.clock = clock
        let (counters, bell) = (self.counters, self.bell)
        self.registries = loops.map { loop in
            Registry(loop: loop, store: store, clock: clock, catalogs: catalogs, counters: counters, bell: bell)
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

    /// Does something with a channel, on the channel's own loop.
    public func perform<Result: Sendable, Failure: Error>(
        on name: ChannelName,
        _ body: @Sendable (Channel) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await self.registries[self.home(of: name)].perform(on: name, body)
    }

    /// How many channels are in memory.
    public var loadedChannels: Int {
        get async {
            var count = 0
            for registry in self.registries { count += await registry.count }
            return count
        }
    }

    /// FNV-1a: Swift's own hashes differ from run to run, and where a channel lives should not.
    private func home(of name: ChannelName) -> Int {
        guard self.registries.count > 1 else { return 0 }
        let hash = name.rawValue.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Int(hash % UInt64(self.registries.count))
    }
}

/// The channels of one loop.
actor Registry: LoopActor, Sleeper {
    /// An object, so that a request looks its channel up once.
    private final class Entry {
        let channel: Channel
        /// Requests that work with the channel right now.
        var uses = 0
        /// Whether it was used since the last look.
        var isFresh = true

        init(channel: Channel) {
            self.channel = channel
        }
    }

    nonisolated let loop: EventLoop
    private let store: any EventStore
    private let clock: HubClock
    private let catalogs: Catalogs
    private let counters: HubCounters
    private let bell: DeliveryBell
    private var entries: [ChannelName: Entry] = [:]

    /// How often idle channels are looked for, in nanoseconds.
    private static let sweepInterval: Int64 = 30_000_000_000

    init(
        loop: EventLoop,
        store: any EventStore,
        clock: HubClock,
        catalogs: Catalogs,
        counters: HubCounters,
        bell: DeliveryBell
    ) {
        self.bell = bell
        self.loop = loop
        self.store = store
        self.clock = clock
        self.catalogs = catalogs
        self.counters = counters
    }

    var count: Int { self.entries.count }

    func start() {
        _ = self.loop.schedule(at: EventLoop.now + Self.sweepInterval, self)
    }

    /// Does something with a channel.
    ///
    /// The channel is of the same loop, so calls of it do not wait to get there.
    func perform<Result: Sendable, Failure: Error>(
        on name: ChannelName,
        _ body: @Sendable (Channel) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let entry = self.entry(name)
        entry.uses += 1
        entry.isFresh = true
        defer { entry.uses -= 1 }
        return try await body(entry.channel)
    }

    private func entry(_ name: ChannelName) -> Entry {
        if let entry = self.entries[name] { return entry }
        let channel = Channel(
            name: name,
            loop: self.loop,
            store: self.store,
            clock: self.clock,
            catalogs: self.catalogs,
            counters: self.counters,
            bell: self.bell
        )
        let entry = Entry(channel: channel)
        self.entries[name] = entry
        return entry
    }

    nonisolated func wake(token: Int) {
        self.assumeIsolated { registry in
            registry.sweep()
            registry.start()
        }
    }

    /// Lets go of channels that nobody has used since the last sweep and that have nothing to do.
    private func sweep() {
        for (name, entry) in self.entries {
            let isIdle = entry.uses == 0 && !entry.isFresh && entry.channel.assumeIsolated { $0.isIdle }
            if isIdle { self.entries[name] = nil } else { entry.isFresh = false }
        }
    }
}
