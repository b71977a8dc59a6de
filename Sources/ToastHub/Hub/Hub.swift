package import EventLoop
package import MicroHTTP
import Synchronization
package import ToastCore

/// All channels, spread over the loops.
///
/// A channel's home loop follows from a hash of its name; a stream stays on the loop that accepted its connection.
package final class Hub: Sendable {
    package let store: any Store
    package let catalogs: Catalogs
    package let defaults: ServerDefaults
    package let hooks: Hooks

    package let webhookCounters = WebhookCounters()
    package let deliveryAttempts = DeliveryAttempts()
    package let streamQuotas = StreamQuotaCounter()

    /// Decides where requests are carried out; `nil` when this process is the only one.
    let gate: (any ChannelGate)?

    let waitingPublishers = WaitingPublishers()

    /// The budget for long answers and pages of the log that have not been sent yet.
    package let outputBudget = MemoryBudget(bytes: .max)

    let clock: HubClock
    let deliverySignal = DeliverySignal()
    let changedWebhooks = ChangedWebhooks()
    let registries: [Registry]
    let quota = ChannelQuota()
    private let draining = Atomic(false)

    /// Whether the server is about to stop, so that clients should send further requests elsewhere.
    package var isDraining: Bool { self.draining.load(ordering: .relaxed) }

    package var epoch: Epoch { self.store.epoch }

    /// The counters of channels, one object per loop.
    package var channelMeters: [ChannelMeter] { self.registries.map { $0.context.meter } }

    /// The current instant, by which toasts are dated.
    package var now: Instant { self.clock.now }

    /// Why this process cannot serve: nothing can be stored, or it has lost the other processes; `nil` while it can.
    package var failure: StoreError? { if let gate = self.gate { gate.failure } else { self.store.failure } }

    /// A hub on one or more loops; `answers` encodes the answers for repetitions of requests.
    package init(
        loops: [EventLoop],
        store: any Store,
        clock: HubClock,
        answers: any AnswerWriter,
        catalogs: Catalogs,
        defaults: ServerDefaults,
        hooks: Hooks,
        gate: (any ChannelGate)? = nil
    ) {
        self.store = store
        self.gate = gate
        self.catalogs = catalogs
        self.defaults = defaults
        self.hooks = hooks
        self.clock = clock
        self.registries = loops.map { [deliverySignal, changedWebhooks, deliveryAttempts, quota] loop in
            let context = ChannelContext(
                loop: loop,
                store: store,
                clock: clock,
                catalogs: catalogs,
                defaults: defaults,
                meter: ChannelMeter(),
                deliverySignal: deliverySignal,
                changedWebhooks: changedWebhooks,
                deliveryAttempts: deliveryAttempts,
                quota: quota,
                answers: answers,
                gate: gate
            )
            return Registry(context)
        }
    }

    /// Announces that the server is about to stop; everything still works.
    package func announceDrain() {
        self.draining.store(true, ordering: .relaxed)
    }

    /// Starts the timers that remove idle channels from memory.
    package func start() async {
        for registry in self.registries { await registry.start() }
    }

    /// Sets the maximum number of channels in memory, spread over the loops; loaded channels stay.
    package func limitChannels(to count: Int) {
        // Names are hashed, so the limit of one loop may be reached while another has room.
        let share = (count + self.registries.count - 1) / self.registries.count
        self.quota.perLoop.store(max(1, share), ordering: .relaxed)
    }

    /// Makes the dispatcher look for waiting deliveries, also of channels that this process has taken over.
    package func wakeDispatcher() { self.deliverySignal.send() }

    func forgetIdle() {
        for registry in self.registries { registry.execute { $0.forgetIdle() } }
    }

    /// Carries out a request to a channel, on the channel's home loop: the only entry point of requests.
    ///
    /// - Throws: Why it was not carried out; `tooManyChannels` or `outOfMemory` when there is no room for one more
    ///   channel.
    package func perform(_ request: ChannelRequest, on name: ChannelName) async throws(ChannelError) -> ChannelAnswer {
        if let gate = self.gate { return try await gate.perform(request, on: name) }
        return try await self.registry(of: name).perform(request, on: name)
    }

    /// The names of the stored channels of all nodes, in order, after `name` if one is given.
    ///
    /// - Throws: `unavailable` when the store, or the owners of some channels, do not answer.
    package func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] {
        if let gate = self.gate { return try await gate.channels(after: name, limit: limit) }
        return try await self.store.channels(after: name, limit: limit)
    }

    /// Removes a listener from a channel; a channel with listeners is always in memory.
    func leave(_ name: ChannelName, _ observer: any ChannelObserver, _ listener: ChannelListener) {
        if let gate = self.gate { return gate.leave(name, observer, listener) }
        self.registry(of: name).execute { $0.channelInMemory(name)?.assumeIsolated { $0.leave(observer, listener) } }
    }

    func registry(of name: ChannelName) -> Registry { self.registries[self.home(of: name)] }

    /// Makes every loop measure its longest queue; one that is busy for a quarter of a second keeps its previous value.
    package func measureQueues() async {
        let (measured, continuation) = AsyncStream.makeStream(of: Void.self)
        for registry in self.registries {
            registry.execute {
                $0.measure()
                continuation.yield()
            }
        }
        // On one of Swift's own threads, because any loop may be busy.
        let alarm = Task {
            try? await Task.sleep(for: .milliseconds(250))
            continuation.finish()
        }
        defer { alarm.cancel() }
        for await _ in measured.prefix(self.registries.count) {}
    }

    /// The index of a channel's home loop.
    ///
    /// FNV-1a: Swift's own hashes differ from run to run, and the home loop of a channel should not.
    func home(of name: ChannelName) -> Int {
        guard self.registries.count > 1 else { return 0 }
        return Int(name.rawValue.utf8.digest % UInt64(self.registries.count))
    }
}
