import Synchronization

/// One thread with one epoll: it waits for descriptors and deadlines, and runs Swift's jobs in between.
///
/// The loop is a `SerialExecutor`, so an actor that names it as its executor is confined to its thread and needs no
/// lock; ``taskExecutor`` lets a task prefer it. Everything that the loop calls — watchers, sleepers, turn hooks —
/// runs *inside a job of the loop itself*: a task started there with `Task.immediate`, and a call of an actor of the
/// same loop, runs on without ever being queued.
///
/// Watches and timers belong to the loop's thread: their calls stop the program elsewhere. ``execute(_:)``,
/// ``enqueue(_:)`` and ``stop()`` may be called from anywhere.
public final class EventLoop: SerialExecutor, CustomStringConvertible {
    /// Names a watch until ``unwatch(_:)``.
    public struct Watch: Hashable, Sendable {
        let slot: Int
        let generation: UInt32
    }

    /// Names a timer until it fires or is cancelled.
    public struct Timer: Hashable, Sendable {
        let key: TimerQueue<Alarm>.Key
    }

    struct Alarm {
        let sleeper: any Sleeper
        let token: Int
    }

    enum Work {
        case actorJob(UnownedJob)
        case taskJob(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    struct WatchSlot {
        var descriptor: CInt = -1
        var watcher: (any Watcher)?
        var token = 0
        var generation: UInt32 = 0
        var readiness: Readiness = []
    }

    struct State {
        var watches: [WatchSlot] = []
        var freeWatches: [Int] = []
        var timers = TimerQueue<Alarm>()
        /// Work from this thread itself, which needs no lock.
        var local: [Work] = []
        var hooks: [any TurnHook] = []
        var random = RandomBlock()
        /// When the turn that runs now began.
        var turnStart: Int64 = 0
    }

    struct Mailbox {
        var work: [Work] = []
        /// The thread waits, or is about to, and has not been woken yet.
        var isWaiting = false
        var isStopping = false
    }

    /// The name of the loop and its thread.
    public let description: String

    let tasks = LoopTaskExecutor()
    let epoll: CInt
    let wakeUp: CInt
    let state = ThreadConfined(State())
    let mailbox = Mutex(Mailbox())

    /// The tag of the wake-up counter; watches have the tags below it.
    static let wakeUpTag = UInt64.max

    /// Makes a loop and starts its thread, which lives until ``stop()``.
    ///
    /// - Throws: When the system is out of descriptors or threads.
    public init(name: String) throws(SystemError) {
        self.description = name
        let epoll = try SystemCalls.makeEpoll()
        self.epoll = epoll
        do throws(SystemError) {
            self.wakeUp = try SystemCalls.makeEventCounter()
        } catch {
            // A loop that is not whole yet has no `deinit`; from here on it has.
            SystemCalls.closeDescriptor(epoll)
            throw error
        }
        try SystemCalls.control(self.epoll, .add, self.wakeUp, .readable, tag: Self.wakeUpTag)
        self.tasks.loop.withLock { $0 = self }
        do throws(SystemError) {
            try SystemCalls.startThread(name: name) { self.main() }
        } catch {
            self.tasks.loop.withLock { $0 = nil }
            throw error
        }
    }

    deinit {
        SystemCalls.closeDescriptor(self.wakeUp)
        SystemCalls.closeDescriptor(self.epoll)
    }

    /// Nanoseconds on the monotonic clock: what timers count with.
    public static var now: Int64 { SystemCalls.monotonicNanoseconds() }

    /// Whether the caller runs on this loop's thread.
    public var isCurrent: Bool { self.state.isOwned }

    /// Ends the thread after the turn that runs now; jobs still queued then are dropped.
    public func stop() {
        let isWaiting = self.mailbox.withLock { mailbox in
            mailbox.isStopping = true
            return mailbox.takeWaiting()
        }
        if isWaiting { SystemCalls.raise(self.wakeUp) }
    }

    // MARK: Work

    /// Runs a closure on the loop's thread, behind all work queued before it from the same thread.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        self.queue(.closure(work))
    }

    /// Takes a job of one of the loop's actors from the Swift runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        self.queue(.actorJob(UnownedJob(job)))
    }

    /// The loop as an executor for tasks that belong to no actor.
    ///
    /// An object of its own, because the runtime takes a loop that is both kinds of executor at once for one that
    /// every job of an actor prefers, and sends such jobs around twice.
    public var taskExecutor: any TaskExecutor { self.tasks }

    func enqueueTask(_ job: UnownedJob) {
        self.queue(.taskJob(job))
    }

    /// Whether actors of this loop may be used right now; the runtime asks.
    public func checkIsolated() {
        precondition(self.isCurrent, "\(self.description) was used from another thread.")
    }

    private func queue(_ work: Work) {
        if self.isCurrent {
            self.state.withValue { $0.local.append(work) }
            return
        }
        let isWaiting = self.mailbox.withLock { mailbox in
            mailbox.work.append(work)
            return mailbox.takeWaiting()
        }
        if isWaiting { SystemCalls.raise(self.wakeUp) }
    }

    // MARK: Descriptors

    /// Watches a descriptor, level-triggered, until ``unwatch(_:)``; the loop holds the watcher as long.
    ///
    /// - Throws: When the kernel refuses the descriptor.
    public func watch(
        _ descriptor: CInt,
        for readiness: Readiness,
        by watcher: any Watcher,
        token: Int = 0
    ) throws(SystemError) -> Watch {
        try self.state.withValue { state throws(SystemError) in
            let slot = state.freeWatches.popLast() ?? state.watches.count
            if slot == state.watches.count { state.watches.append(WatchSlot()) }
            let watch = Watch(slot: slot, generation: state.watches[slot].generation)
            do throws(SystemError) {
                try SystemCalls.control(self.epoll, .add, descriptor, readiness, tag: watch.tag)
            } catch {
                state.freeWatches.append(slot)
                throw error
            }
            state.watches[slot].descriptor = descriptor
            state.watches[slot].watcher = watcher
            state.watches[slot].token = token
            state.watches[slot].readiness = readiness
            return watch
        }
    }

    /// Watches the same descriptor for something else from now on.
    public func rewatch(_ watch: Watch, for readiness: Readiness) throws(SystemError) {
        try self.state.withValue { state throws(SystemError) in
            guard let slot = state.watches.armed(watch), slot.readiness != readiness else { return }
            try SystemCalls.control(self.epoll, .modify, slot.descriptor, readiness, tag: watch.tag)
            state.watches[watch.slot].readiness = readiness
        }
    }

    /// Hands a watch over to another watcher, perhaps for something else from now on; its token is 0.
    public func rewatch(_ watch: Watch, for readiness: Readiness, by watcher: any Watcher) throws(SystemError) {
        try self.rewatch(watch, for: readiness)
        self.state.withValue { state in
            guard state.watches.armed(watch) != nil else { return }
            (state.watches[watch.slot].watcher, state.watches[watch.slot].token) = (watcher, 0)
        }
    }

    /// Ends a watch.
    ///
    /// Call it before the descriptor is closed; events already fetched are dropped.
    public func unwatch(_ watch: Watch) {
        self.state.withValue { state in
            guard let slot = state.watches.armed(watch) else { return }
            // A descriptor that someone closed early is out of the epoll set already.
            try? SystemCalls.control(self.epoll, .delete, slot.descriptor, [], tag: watch.tag)
            state.watches[watch.slot] = WatchSlot(generation: watch.generation &+ 1)
            state.freeWatches.append(watch.slot)
        }
    }

    // MARK: Time

    /// Calls `sleeper` once the clock (``now``) has reached the deadline.
    public func schedule(at deadline: Int64, _ sleeper: any Sleeper, token: Int = 0) -> Timer {
        self.state.withValue { Timer(key: $0.timers.arm(Alarm(sleeper: sleeper, token: token), at: deadline)) }
    }

    /// Moves a timer to another deadline; false when it fired or was cancelled before.
    public func reschedule(_ timer: Timer, at deadline: Int64) -> Bool {
        self.state.withValue { $0.timers.rearm(timer.key, at: deadline) }
    }

    /// Cancels a timer; nothing happens when it fired or was cancelled before.
    public func cancel(_ timer: Timer) {
        self.state.withValue { $0.timers.cancel(timer.key) }
    }

    /// When the turn that runs now began: the moment the loop came back from waiting, in nanoseconds of ``now``.
    public var turnStart: Int64 { self.state.withValue { $0.turnStart } }

    /// Calls a hook at the end of every turn from now on, in the order in which hooks were added.
    public func addHook(_ hook: any TurnHook) {
        self.state.withValue { $0.hooks.append(hook) }
    }

    /// Calls a hook no longer.
    public func removeHook(_ hook: any TurnHook) {
        self.state.withValue { state in state.hooks.removeAll { $0 === hook } }
    }
}
