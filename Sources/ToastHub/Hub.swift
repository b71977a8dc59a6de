public import EventLoop
import Measures
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
    public let counters: HubCounters

    /// How many streams there are, and may be.
    public let census = StreamCensus()

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

    /// A hub on some loops, at least one.
    public init(loops: [EventLoop], store: any EventStore, clock: HubClock, catalogs: Catalogs = Catalogs()) {
        self.store = store
        self.catalogs = catalogs
        self.clock = clock
        let (counters, bell, quota) = (HubCounters(loops: loops.count), self.bell, self.quota)
        self.counters = counters
        self.registries = zip(loops, counters.channels).map { loop, meter in
            Registry(
                loop: loop,
                store: store,
                clock: clock,
                catalogs: catalogs,
                meter: meter,
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

    /// Lets go of all that can be read again.
    func forgetIdle() {
        for registry in self.registries {
            registry.loop.execute { registry.assumeIsolated { $0.forgetIdle() } }
        }
    }

    /// Does something with a channel, on the channel's own loop.
    ///
    /// For callers that are no actors of this module; those ask the ``registry(of:)``.
    ///
    /// - Throws: What the body throws; `tooManyChannels` or `outOfMemory` when there is no room for one more.
    public func perform<Result: Sendable>(
        on name: ChannelName,
        _ body: @Sendable (Channel) async throws(ChannelError) -> Result
    ) async throws(ChannelError) -> Result {
        try await self.registry(of: name).perform(on: name, body)
    }

    /// Adds toasts to a channel's queue, as ``Channel/publish(_:as:answer:)`` does.
    ///
    /// By itself, and not by ``perform(on:_:)``: what happens most goes without the frames of that function's body.
    public func publish(
        _ drafts: [ToastDraft],
        on name: ChannelName,
        as request: IdempotentRequest?,
        answer: @Sendable (_ toasts: [Toast], _ isNew: Bool) -> [UInt8]
    ) async throws(ChannelError) -> Publication {
        try await self.registry(of: name).publish(drafts, on: name, as: request, answer: answer)
    }

    /// Where a channel lives.
    ///
    /// An actor that calls this actor comes back to its own loop. By way of ``perform(on:_:)`` it would not always: the
    /// optimizer of Swift 6.3.1 specializes that function for the closure that it is given, and the copy does not hop
    /// back at its end, on which the caller of a `nonisolated(nonsending)` function relies (swiftlang/swift#88460).
    /// The actor then went on in the thread of the channel's loop, beside its own.
    func registry(of name: ChannelName) -> Registry {
        self.registries[self.home(of: name)]
    }

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
    private let appending: Appending
    private let clock: HubClock
    private let catalogs: Catalogs
    private let meter: ChannelMeter
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
        meter: ChannelMeter,
        bell: DeliveryBell,
        quota: ChannelQuota
    ) {
        self.bell = bell
        self.quota = quota
        self.loop = loop
        self.store = store
        self.appending = Appending(to: store, on: loop)
        self.clock = clock
        self.catalogs = catalogs
        self.meter = meter
    }

    /// Finds the longest queue of all that are in memory.
    func measure() {
        let longest = self.entries.values.map { $0.channel.assumeIsolated { $0.meteredQueue } }.max()
        self.meter.longestQueue.set(longest ?? 0)
    }

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
        let entry = try self.entry(name)
        entry.uses += 1
        entry.isFresh = true
        defer { entry.uses -= 1 }
        return try await body(entry.channel)
    }

    /// Adds toasts to a channel's queue.
    func publish(
        _ drafts: [ToastDraft],
        on name: ChannelName,
        as request: IdempotentRequest?,
        answer: @Sendable (_ toasts: [Toast], _ isNew: Bool) -> [UInt8]
    ) async throws(ChannelError) -> Publication {
        let entry = try self.entry(name)
        entry.uses += 1
        entry.isFresh = true
        defer { entry.uses -= 1 }
        return try await entry.channel.publish(drafts, as: request, answer: answer)
    }

    private func entry(_ name: ChannelName) throws(ChannelError) -> Entry {
        if let entry = self.entries[name] { return entry }
        try self.makeRoom()
        let channel = Channel(
            name: name,
            loop: self.loop,
            store: self.store,
            appending: self.appending,
            clock: self.clock,
            catalogs: self.catalogs,
            meter: self.meter,
            bell: self.bell,
            quota: self.quota
        )
        let entry = Entry(channel: channel)
        self.entries[name] = entry
        self.meter.loaded.add()
        return entry
    }

    private func makeRoom() throws(ChannelError) {
        let limit = self.quota.perLoop.load(ordering: .relaxed)
        let isShort = self.quota.isShort.load(ordering: .relaxed)
        guard self.entries.count >= limit || isShort else { return }
        if EventLoop.now - Self.searchInterval >= self.searchedAt {
            self.searchedAt = EventLoop.now
            self.forgetIdle()
        }
        guard !isShort else { throw .outOfMemory }
        guard self.entries.count < limit else { throw .tooManyChannels }
    }

    /// Lets go of all channels that nobody works with at this moment and that have nothing to do.
    func forgetIdle() {
        for (name, entry) in self.entries where entry.uses == 0 {
            if entry.channel.assumeIsolated({ $0.isIdle }) { self.forget(name, entry.channel) }
        }
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
            guard isIdle else {
                entry.isFresh = false
                continue
            }
            self.forget(name, entry.channel)
        }
    }

    private func forget(_ name: ChannelName, _ channel: Channel) {
        channel.assumeIsolated { $0.meterQueue(0) }
        self.entries[name] = nil
        self.meter.loaded.add(-1)
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
