public import EventLoop
import Measures
import Synchronization
public import ToastCore

/// A channel at work: its engine, what is stored of it, who listens to it.
///
/// An actor of its home loop. Every change goes one way: the engine decides, the events are recorded, stored, and
/// only then delivered and acknowledged. One append is under way at a time; what happens meanwhile goes with the
/// next one, so a busy channel groups its own commits.
public actor Channel: LoopActor {
    /// The loop that the channel lives on.
    public nonisolated let loop: EventLoop

    /// The channel's name.
    public nonisolated let name: ChannelName

    nonisolated let context: ChannelContext

    enum Phase {
        /// The engine's state is not to be trusted, perhaps because the store failed. Leaves to `loading` when the
        /// channel is used.
        case unloaded(StoreError?)
        /// The state is being read, and these wait for it. Leaves to `loaded` or `unloaded`.
        case loading([CheckedContinuation<StoreError?, Never>])
        /// The engine is the truth. Leaves to `unloaded`, or to `deleting`.
        case loaded
        /// Nothing more is decided, and these wait until all is gone. Leaves to `loaded` or `unloaded`.
        case deleting([CheckedContinuation<Void, Never>])
    }

    // What each deadline of the engine asks for stands together: see ``Engine``. What is true or false stands behind something
    // optional, where it takes no memory of its own.

    /// When the timer fires, so that it is only moved when the engine's deadline moved.
    var timerDeadline: Int64?
    var isCommitting = false
    var timer: EventLoop.Timer?
    /// The hub's clock, or one ahead of it.
    var clock: HubClock
    var phase = Phase.unloaded(nil)
    /// The engine's next deadline, kept at hand because everything asks for it.
    private(set) var deadline: Instant?
    /// Whether time alone may bring something about in what is stored.
    var isTimed = false
    /// How many toasts wait in the engine, as of its last answer.
    private(set) var queueLength = 0
    /// The length of the queue that the meter knows.
    private(set) var meteredQueue = 0
    /// The last event that is stored and was delivered.
    var committed = Offset.origin
    /// Events that the engine decided and the store has not seen.
    var pending: [Event] = []
    /// The first of them as the store keeps them, as far as somebody has asked for that.
    var pendingStored: [StoredEvent] = []
    var pendingRecords: [IdempotencyRecord] = []
    /// The owners who lose their oldest record for these.
    var pendingDisplaced: [String] = []
    var eventsSinceSnapshot = 0
    /// Who waits for events to be stored, in the order of their offsets.
    var waiters: [Waiter] = []
    /// The loops on which someone listens.
    var listeners: [ObjectIdentifier: Listeners] = [:]
    var webhookState = WebhookState()
    var engine: Engine

    /// How many records there were so far, and how many of them are stored.
    var recordsTaken = 0
    var recordsStored = 0
    /// Idempotency keys of requests under way.
    var keysInUse: Set<IdempotencyKey> = []
    var keyCount = KeyCount()

    init(name: ChannelName, context: ChannelContext) {
        self.name = name
        self.context = context
        self.loop = context.loop
        self.clock = context.clock
        self.engine = Engine(channel: name, epoch: context.store.epoch)
    }

    /// Now; the engine itself never goes back behind its last event.
    var now: Instant { self.clock.now }

    /// Whether nothing would be missed if the channel were forgotten and read again when it is used.
    var isIdle: Bool {
        switch self.phase {
        case .loading, .deleting: return false
        case .unloaded, .loaded: break
        }
        return self.listeners.isEmpty && self.pending.isEmpty && !self.isCommitting && self.waiters.isEmpty
            && self.timer == nil && self.keysInUse.isEmpty && !self.webhookState.isChanging
    }
}

// MARK: - Loading

extension Channel {
    /// Whether the engine's state is the stored one; asked before ``load()`` where an asynchronous call for nothing counts.
    var isLoaded: Bool {
        if case .loaded = self.phase { true } else { false }
    }

    /// Makes the engine's state the stored one, unless it is already.
    func load() async throws(ChannelError) {
        while true {
            switch self.phase {
            case .loaded:
                return
            case .loading(var others):
                let failure = await withCheckedContinuation { continuation in
                    others.append(continuation)
                    self.phase = .loading(others)
                }
                // Not tried again by each of them: a store that has failed would be asked as often as somebody waits.
                if let failure { throw .unavailable(failure) }
            case .deleting(var others):
                await withCheckedContinuation { continuation in
                    others.append(continuation)
                    self.phase = .deleting(others)
                }
            case .unloaded:
                self.phase = .loading([])
                let failure = await self.read()
                guard case .loading(let others) = self.phase else { continue }
                self.phase = failure == nil ? .loaded : .unloaded(failure)
                for other in others { other.resume(returning: failure) }
                if let failure { throw .unavailable(failure) }
                self.heedDefaults()
                self.applyAudience()
                return
            }
        }
    }

    private func read() async -> StoreError? {
        do throws(StoreError) {
            let webhookChanges = self.webhookState.changes
            let stored = try await self.context.store.load(self.name)
            self.engine = try Engine(channel: self.name, epoch: self.context.store.epoch, stored)
            self.engine.lexicon = self.context.catalogs.lexicon
            for id in stored.openToasts { self.engine.watch(id) }
            self.clock = self.clock.notBefore(self.engine.lastInstant)
            try await self.makeUp(for: self.engine.offset)
            self.committed = self.engine.offset
            self.isTimed = self.engine.nextDeadline != nil
            self.eventsSinceSnapshot = stored.tail.count
            if let count = stored.recordCount { self.keyCount.take(count, at: EventLoop.now) }
            self.webhookState.take(stored.webhooks, readAt: webhookChanges)
            return nil
        } catch {
            return error
        }
    }

    /// Tells listeners of events that were stored though the store had said otherwise, or by someone else.
    ///
    /// The last one is enough: who lacks those before it reads them from the log.
    private func makeUp(for last: Offset) async throws(StoreError) {
        guard self.committed > .origin, self.committed < last, !self.listeners.isEmpty else { return }
        let previous = Offset(rawValue: last.rawValue - 1)
        let history = try await self.context.store.events(of: self.name, after: previous, limit: 1)
        let events = history.events.compactMap { BroadcastEvent($0, toldAt: self.now) }
        self.broadcast(Broadcast(channel: self.name, events: events))
    }
}

// MARK: - Changing

extension Channel {
    /// Asks the engine, which knows the texts of this moment and the time.
    func consult<Result, Failure: Error>(
        _ body: (inout Engine, Instant) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // By reference all the way: a method of a value that an object holds is called on a copy of it.
        func ask(_ engine: inout Engine) throws(Failure) -> Result {
            engine.lexicon = self.context.catalogs.lexicon
            engine.queueLimit = self.context.quota.queue.load(ordering: .relaxed)
            defer { (self.deadline, self.queueLength) = engine.outlook() }
            return try body(&engine, self.now)
        }
        return try ask(&self.engine)
    }

    /// Tells the meter how long the queue is now.
    func meterQueue(_ length: Int) {
        guard length != self.meteredQueue else { return }
        self.context.meter.queued.add(length - self.meteredQueue)
        self.meteredQueue = length
    }

    /// Tells the engine of the audience.
    func applyAudience() {
        // An audience is a fact, not a request: the engine has no error for it.
        try? self.apply(.audience(self.audience))
        self.startCommit()
    }

    /// Takes the server's defaults as they are now, and tells those who listen.
    func heedDefaults() {
        let base = self.context.defaults.settings(of: self.name)
        guard self.isLoaded, base.defaults != self.engine.settings.defaults else { return }
        self.consult { engine, _ in engine.assume(base) }
        guard !self.listeners.isEmpty else { return self.schedule() }
        self.note(self.consult { engine, now in engine.tellOfDefaults(at: now) })
        self.startCommit()
    }

    /// Has the engine do what time asks for.
    private func tick() {
        self.note(self.consult { engine, now in engine.tick(at: now) })
        self.startCommit()
    }

    /// Settles what is overdue, so that a refusal speaks of the state that its reader will see.
    func catchUp() {
        guard let deadline = self.deadline, deadline <= self.now else { return }
        self.tick()
    }

    /// Notes what the engine decided, to be stored.
    func note(_ events: [Event]) {
        // A store that failed at once, while something overdue was settled, has taken the engine's state with it.
        switch self.phase {
        case .loaded, .deleting: break
        case .unloaded, .loading:
            self.pendingRecords = []
            self.recordsTaken = self.recordsStored
            return
        }
        self.schedule()
        // To add copies each of them.
        if self.pending.isEmpty { self.pending = events } else { self.pending += events }
    }

    /// Writes what was noted as the store keeps it, unless that is done.
    ///
    /// - Returns: What was not written before.
    @discardableResult
    func writePending() -> [StoredEvent] {
        let count = self.pendingStored.count
        guard count < self.pending.count else { return [] }
        let rest = count == 0 ? self.pending : Array(self.pending[count...])
        let stored = Event.stored(rest, channel: self.name, epoch: self.context.store.epoch)
        if self.pendingStored.isEmpty { self.pendingStored = stored } else { self.pendingStored += stored }
        return stored
    }
}

// MARK: - Time

extension Channel: Sleeper {
    /// A deadline of the engine has come.
    public nonisolated func wake(token: Int) {
        self.onLoop(()) { channel, _ in
            channel.timer = nil
            channel.timerDeadline = nil
            channel.wakeUp()
        }
    }

    private func wakeUp() {
        if case .loaded = self.phase { return self.tick() }
        Task.immediate {
            do { try await self.load() } catch { self.retryLater() }
        }
    }

    /// Has a store that is away tried again in a while: a second if someone listens.
    func retryLater() {
        self.arm(at: EventLoop.now + (self.listeners.isEmpty ? 5_000_000_000 : 1_000_000_000))
    }

    func schedule() {
        self.meterQueue(self.queueLength)
        self.arm(at: self.deadline.map(self.clock.deadline))
    }

    func arm(at deadline: Int64?) {
        guard deadline != self.timerDeadline else { return }
        self.timerDeadline = deadline
        guard let deadline else {
            if let timer = self.timer { self.loop.cancel(timer) }
            self.timer = nil
            return
        }
        if let timer = self.timer, self.loop.reschedule(timer, at: deadline) { return }
        self.timer = self.loop.schedule(at: deadline, self)
    }
}
