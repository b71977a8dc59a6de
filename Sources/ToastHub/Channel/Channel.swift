package import EventLoop
import Metrics
import Synchronization
package import ToastCore

/// A channel in memory: its engine, its commits and its listeners.
///
/// An actor of its home loop. Every change takes one path: the engine decides, the events are stored, and only then
/// they are delivered and acknowledged.
package actor Channel: LoopActor {
    /// The channel's home loop.
    package nonisolated let loop: EventLoop

    /// The channel's name.
    package nonisolated let name: ChannelName

    nonisolated let context: ChannelContext

    enum Phase {
        /// The engine's state may differ from the stored one, perhaps after a failure of the store. Leaves to `loading`
        /// when the channel is used.
        case unloaded(StoreError?)
        /// The state is being loaded, and these requests wait for it. Leaves to `loaded` or `unloaded`.
        case loading([CheckedContinuation<StoreError?, Never>])
        /// The engine's state is the stored one plus the pending events. Leaves to `unloaded` or `deleting`.
        case loaded
        /// The channel is being deleted, and these requests wait for the end. Leaves to `loaded` or `unloaded`.
        case deleting([CheckedContinuation<Void, Never>])
    }

    var phase = Phase.unloaded(nil)
    /// Whether another process may have changed the channel since its state began to be loaded.
    var isOutdated = false
    var engine: Engine
    /// The hub's clock, or one that runs ahead of it.
    var clock: HubClock
    var commits = CommitQueue()
    var eventsSinceSnapshot = 0
    var listeners = ChannelListeners()
    var webhookState = WebhookState()
    var keyCount = KeyCount()
    /// Idempotency keys of requests in flight.
    var keysInUse: Set<IdempotencyKey> = []
    var recent = RecentPublishes()
    /// The server's defaults in the last snapshot of a channel that has no events; nil when there was none.
    var shownDefaults: JSONObject?

    private(set) var timer = ChannelTimer()
    /// The engine's next deadline and the length of its queue, as of its last answer.
    private(set) var outlook: (deadline: Instant?, queueLength: Int) = (nil, 0)
    /// The queue length that the meter has.
    private(set) var meteredQueue = 0
    /// Whether the channel could change without a request, as of its last commit: it had a deadline or pending events.
    var isTimed = false

    init(name: ChannelName, context: ChannelContext) {
        self.name = name
        self.context = context
        self.loop = context.loop
        self.clock = context.clock
        self.engine = Engine(channel: name, epoch: context.epoch)
    }

    /// The current instant; the engine itself never goes back before its last event.
    var now: Instant { self.clock.now }

    /// Whether this process is sure that it decides for the channel, and knows its audience.
    var serves: Bool { self.context.gate?.serves(self.name) ?? true }

    /// The error of a request when this process may not decide: a conflict, as if another process had appended, because
    /// one may have.
    ///
    /// `ClusterNode.reply(to:)` turns it into `notOwner`, and the request goes to the new owner.
    var lostChannel: StoreError { .conflict(current: self.commits.committed) }

    /// Whether the channel can leave memory while no request uses it: loading it again loses nothing.
    var isIdle: Bool {
        switch self.phase {
        case .loading, .deleting: return false
        case .unloaded, .loaded: break
        }
        return self.listeners.isEmpty && self.commits.isEmpty && !self.timer.isArmed && self.keysInUse.isEmpty
    }

    /// Whether the engine's state is loaded: the stored one plus the pending events.
    ///
    /// Checked before ``load()`` on hot paths, to save an asynchronous call.
    var isLoaded: Bool {
        if case .loaded = self.phase { true } else { false }
    }
}

// MARK: - Deciding

extension Channel {
    /// Calls the engine with the current texts, limits and time.
    func consult<Result, Failure: Error>(
        _ body: (inout Engine, Instant) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Passed by reference: calling a method of a value that is stored in an object would copy the value.
        func ask(_ engine: inout Engine) throws(Failure) -> Result {
            engine.lexicon = self.context.catalogs.lexicon
            engine.queueLimit = self.context.quota.queue.load(ordering: .relaxed)
            defer { self.outlook = engine.outlook() }
            return try body(&engine, self.now)
        }
        return try ask(&self.engine)
    }

    /// Applies a command and queues its events for storage.
    func apply(_ command: Command) throws(EngineError) {
        self.queueForCommit(try self.consult { engine, now throws(EngineError) in try engine.apply(command, at: now) })
    }

    /// Queues events of the engine for storage, and sets the timer to the engine's next deadline.
    ///
    /// When the store has failed, the events are void: they are dropped, and the idempotency records of their requests.
    func queueForCommit(_ events: [Event]) {
        switch self.phase {
        case .loaded, .deleting: break
        // The store failed while overdue events were stored, and the engine's state has been void since then.
        case .unloaded, .loading: return self.commits.dropRecords()
        }
        self.schedule()
        self.commits.add(events)
    }

    /// Passes the audience to the engine.
    func applyAudience() {
        // The engine throws no error for an audience, because it is not a request that could be refused.
        try? self.apply(.audience(self.listeners.audience))
        self.startCommit()
    }

    /// Applies the server's current defaults, and sends an event if there are listeners.
    func applyDefaults() {
        guard self.isLoaded else { return }
        let base = self.context.defaults.settings(of: self.name)
        let isNew = base.defaults != self.engine.settings.defaults
        self.consult { engine, _ in engine.applyDefaults(base) }
        guard isNew else { return }
        // Also when the log has these defaults: a snapshot may have shown other ones to the listeners in the meantime.
        if self.listeners.isEmpty { self.schedule() } else { self.announceDefaults() }
    }

    /// Writes the current settings to the log.
    func announceDefaults() {
        self.queueForCommit(self.consult { engine, now in engine.announceDefaults(at: now) })
        self.startCommit()
    }

    /// Runs overdue transitions, so that an answer fits the state that its reader will see.
    func runOverdue() {
        guard let deadline = self.outlook.deadline, deadline <= self.now else { return }
        self.tick()
    }

    private func tick() {
        self.queueForCommit(self.consult { engine, now in engine.tick(at: now) })
        self.startCommit()
    }
}

// MARK: - Time

extension Channel: Sleeper {
    /// The timer has fired: a deadline of the engine is reached, or it is time to try again what was not possible.
    package nonisolated func wake(token: Int) {
        self.onLoop(()) { channel, _ in
            channel.timer.expire()
            channel.wakeUp()
        }
    }

    func wakeUp() {
        if self.isLoaded { return self.serves ? self.tick() : self.waitUntilSure() }
        Task.immediate {
            do { try await self.load() } catch { self.retryLater() }
        }
    }

    /// Schedules another check whether this process serves: in 100 ms, or in 1 s once the deadline is that overdue.
    private func waitUntilSure() {
        let overdue = self.now - (self.outlook.deadline ?? self.now)
        let isNew = overdue < Interval(seconds: 1)
        self.arm(at: EventLoop.now + (isNew ? 100_000_000 : 1_000_000_000))
    }

    /// Retries a failed store: after one second if there are listeners, else after five.
    func retryLater() {
        self.arm(at: EventLoop.now + (self.listeners.isEmpty ? 5_000_000_000 : 1_000_000_000))
    }

    /// Updates the meter, and sets the timer to the engine's next deadline.
    func schedule() {
        self.meterQueue(self.outlook.queueLength)
        self.arm(at: self.outlook.deadline.map(self.clock.deadline))
    }

    func arm(at deadline: Int64?) {
        self.timer.arm(at: deadline, on: self.loop, waking: self)
    }

    /// Passes the queue length to the meter.
    func meterQueue(_ length: Int) {
        guard length != self.meteredQueue else { return }
        self.context.meter.queued.add(length - self.meteredQueue)
        self.meteredQueue = length
    }
}
