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

    /// How many streams there are, and may be.
    public let census = StreamCensus()

    let clock: HubClock
    /// Rings when a delivery was stored.
    let bell = DeliveryBell()
    private let registries: [Registry]
    private let quota = ChannelQuota()
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
        let (counters, bell, quota) = (self.counters, self.bell, self.quota)
        self.registries = loops.map { loop in
            Registry(
                loop: loop,
                store: store,
                clock: clock,
                catalogs: catalogs,
                counters: counters,
                bell: bell,
                quota: quota
            )
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

    /// Does something with a channel, on the channel's own loop.
    ///
    /// - Throws: What the body throws; `tooManyChannels` when there is no room for one more.
    public func perform<Result: Sendable>(
        on name: ChannelName,
        _ body: @Sendable (Channel) async throws(ChannelError) -> Result
    ) async throws(ChannelError) -> Result {
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
        let hash = name.rawValue.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Int(hash % UInt64(self.registries.count))
    }
}

/// How many channels a loop may have in memory.
final class ChannelQuota: Sendable {
    let perLoop = Atomic(Int.max)
}

/// The channels of one loop.
actor Registry: LoopActor, Sleeper {
    private struct Entry {
        let channel: Channel
        /// Requests that work with the channel right now.
        var uses = 0
        /// Whether it was used since the last look.
        var isFresh = true
    }

    nonisolated let loop: EventLoop
    private let store: any EventStore
    private let clock: HubClock
    private let catalogs: Catalogs
    private let counters: HubCounters
    private let bell: DeliveryBell
    private let quota: ChannelQuota
    private var entries: [ChannelName: Entry] = [:]
    /// When the registry was last full and looked for room.
    private var searchedAt = Int64.min

    /// How often idle channels are looked for, in nanoseconds.
    private static let sweepInterval: Int64 = 30_000_000_000

    /// How often a full registry looks for room, at most: a look is a walk over all channels.
    private static let searchInterval: Int64 = 1_000_000_000

    init(
        loop: EventLoop,
        store: any EventStore,
        clock: HubClock,
        catalogs: Catalogs,
        counters: HubCounters,
        bell: DeliveryBell,
        quota: ChannelQuota
    ) {
        self.bell = bell
        self.quota = quota
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
    func perform<Result: Sendable>(
        on name: ChannelName,
        _ body: @Sendable (Channel) async throws(ChannelError) -> Result
    ) async throws(ChannelError) -> Result {
        let channel = try self.use(name)
        defer { self.entries[name]?.uses -= 1 }
        return try await body(channel)
    }

    private func use(_ name: ChannelName) throws(ChannelError) -> Channel {
        if let entry = self.entries[name] {
            self.entries[name]?.uses += 1
            self.entries[name]?.isFresh = true
            return entry.channel
        }
        try self.makeRoom()
        let channel = Channel(
            name: name,
            loop: self.loop,
            store: self.store,
            clock: self.clock,
            catalogs: self.catalogs,
            counters: self.counters,
            bell: self.bell
        )
        self.entries[name] = Entry(channel: channel, uses: 1)
        return channel
    }

    private func makeRoom() throws(ChannelError) {
        let limit = self.quota.perLoop.load(ordering: .relaxed)
        guard self.entries.count >= limit else { return }
        if EventLoop.now - Self.searchInterval >= self.searchedAt {
            self.searchedAt = EventLoop.now
            for (name, entry) in self.entries where entry.uses == 0 {
                if entry.channel.assumeIsolated({ $0.isIdle }) { self.entries[name] = nil }
            }
        }
        guard self.entries.count < limit else { throw .tooManyChannels }
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
            if isIdle { self.entries[name] = nil } else { self.entries[name]?.isFresh = false }
        }
    }
}
