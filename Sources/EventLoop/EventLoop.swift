import CLinux
import Synchronization

/// One thread with one epoll: it waits for descriptors and deadlines, and runs Swift's jobs in between.
///
/// The loop is a `SerialExecutor`, so an actor that names it as its executor is confined to its thread and needs no
/// lock; ``taskExecutor`` lets a task prefer it. Everything that the loop calls (watchers, sleepers, turn hooks) runs
/// *inside a job of the loop itself*: a task started there with `Task.immediate`, and a call of an actor of the same
/// loop, run at once and are never queued.
///
/// Watches and timers belong to the loop's thread: using them on another thread stops the program. ``execute(_:)``,
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
    }

    struct Mailbox {
        var work: [Work] = []
        /// The thread waits, or is about to wait, and has not been woken yet.
        var isWaiting = false
        var isStopping = false
    }

    /// The name of the loop and its thread.
    public let description: String

    let tasks = LoopTaskExecutor()
    let epoll: Epoll
    let wakeUp: EventCounter
    let state = ThreadConfined(State())
    let mailbox = Mutex(Mailbox())

    /// The tag of the wake-up counter; watches have the tags below it.
    static let wakeUpTag = UInt64.max

    /// Makes a loop and starts its thread, which lives until ``stop()``.
    ///
    /// - Parameters:
    ///   - name: The name of the loop and its thread, at most 15 bytes.
    ///   - policy: How Linux schedules the thread.
    /// - Throws: When the system is out of descriptors or threads.
    public init(name: String, policy: SchedulingPolicy = .normal) throws(SystemError) {
        self.description = name
        self.epoll = try Epoll()
        self.wakeUp = try EventCounter()
        try self.epoll.control(EPOLL_CTL_ADD, self.wakeUp.descriptor, .readable, tag: Self.wakeUpTag)
        self.tasks.loop.withLock { $0 = self }
        do throws(SystemError) {
            try SystemThread.start(name: name, policy: policy) { self.main() }
        } catch {
            self.tasks.loop.withLock { $0 = nil }
            throw error
        }
    }

    /// Whether the caller runs on this loop's thread.
    public var isCurrent: Bool { self.state.isOwned }

    /// Ends the thread after the current turn.
    ///
    /// Timers and jobs that are left then, and jobs that are queued later, are dropped.
    public func stop() {
        let isWaiting = self.mailbox.withLock { mailbox in
            mailbox.isStopping = true
            return mailbox.takeWaiting()
        }
        if isWaiting { self.wakeUp.raise() }
    }

    // MARK: Work

    /// Runs a closure on the loop's thread, after all work queued before it from the same thread.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        self.queue(.closure(work))
    }

    /// Takes a job of one of the loop's actors from the Swift runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        self.queue(.actorJob(UnownedJob(job)))
    }

    /// The loop as an executor for tasks that belong to no actor.
    ///
    /// A separate object: if one object is both kinds of executor, the runtime treats it as the preferred task executor
    /// of every job of an actor, and enqueues such jobs twice.
    public var taskExecutor: any TaskExecutor { self.tasks }

    /// Stops the program unless actors of this loop may be used right now; called by the runtime.
    public func checkIsolated() {
        precondition(self.isCurrent, "\(self.description) was used from another thread.")
    }

    func queue(_ work: Work) {
        if self.isCurrent {
            self.state.withValue { $0.local.append(work) }
            return
        }
        let isWaiting = self.mailbox.withLock { mailbox in
            guard !mailbox.isStopping else { return false }
            mailbox.work.append(work)
            return mailbox.takeWaiting()
        }
        if isWaiting { self.wakeUp.raise() }
    }

    // MARK: Descriptors

    /// Watches a descriptor, level-triggered, until ``unwatch(_:)``; the loop retains the watcher until then.
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
                try self.epoll.control(EPOLL_CTL_ADD, descriptor, readiness, tag: watch.tag)
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

    /// Changes what a descriptor is watched for.
    public func rewatch(_ watch: Watch, for readiness: Readiness) throws(SystemError) {
        try self.state.withValue { state throws(SystemError) in
            guard let slot = state.watches.armed(watch), slot.readiness != readiness else { return }
            try self.epoll.control(EPOLL_CTL_MOD, slot.descriptor, readiness, tag: watch.tag)
            state.watches[watch.slot].readiness = readiness
        }
    }

    /// Passes a watch to another watcher, under the token 0, and changes what is watched for.
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
            // A descriptor that was closed before is out of the epoll set already.
            try? self.epoll.control(EPOLL_CTL_DEL, slot.descriptor, [], tag: watch.tag)
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

    /// Calls a hook at the end of every turn from now on, in the order in which hooks were added.
    public func addHook(_ hook: any TurnHook) {
        self.state.withValue { $0.hooks.append(hook) }
    }

    /// Removes a hook.
    public func removeHook(_ hook: any TurnHook) {
        self.state.withValue { state in state.hooks.removeAll { $0 === hook } }
    }
}
