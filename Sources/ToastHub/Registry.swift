import EventLoop
import Measures
import Synchronization
import ToastCore

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
