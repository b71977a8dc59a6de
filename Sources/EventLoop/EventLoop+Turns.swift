import Synchronization

// What the loop's thread does, turn by turn.

extension EventLoop {
    /// How many jobs run before the loop looks at descriptors and timers again.
    private static let jobsPerTurn = 1024

    /// The thread's whole life.
    func main() {
        self.state.claim()
        defer { self.tasks.loop.withLock { $0 = nil } }
        let root = Root(loop: self)
        Task(executorPreference: self.taskExecutor) { await root.turn() }
        // The first job in the queue is the root's; all others run inside it, as part of this executor.
        while !self.mailbox.withLock({ $0.isStopping }) {
            let work = self.state.withValue { state in
                let work = state.local
                state.local.removeAll()
                return work
            }
            guard !work.isEmpty else { break }
            for work in work { self.run(work) }
        }
    }

    /// Turns until the loop is stopped.
    ///
    /// Runs inside a job, so that what it calls does.
    fileprivate func turn() {
        var events = EventBuffer(capacity: 256)
        self.state.withValue { $0.turnStart = Self.now }
        while true {
            self.runJobs()
            self.fireTimers()
            let deadline = self.callHooks()
            guard let timeout = self.timeout(until: deadline) else { return }
            // The kernel refuses only wrong arguments, which would be ours.
            guard let count = try? SystemCalls.wait(self.epoll, into: &events, timeout: timeout.nanoseconds) else {
                preconditionFailure("\(self.description) can no longer wait.")
            }
            self.state.withValue { $0.turnStart = Self.now }
            self.collectMail()
            for index in 0..<count { self.dispatch(events.tag(at: index), events.readiness(at: index)) }
        }
    }

    private func runJobs() {
        var left = Self.jobsPerTurn
        while left > 0 {
            let batch = self.state.withValue { state in
                var batch: [Work] = []
                swap(&batch, &state.local)
                return batch
            }
            guard !batch.isEmpty else { return }
            for work in batch { self.run(work) }
            left -= batch.count
        }
    }

    private func run(_ work: Work) {
        switch work {
        case .actorJob(let job):
            self.runActorJob(job)
        case .taskJob(let job):
            self.runTaskJob(job)
        case .closure(let closure):
            closure()
        }
    }

    private func fireTimers() {
        let now = Self.now
        while let alarm = self.state.withValue({ $0.timers.popDue(at: now) }) {
            alarm.sleeper.wake(token: alarm.token)
        }
    }

    /// Calls the hooks; the earliest deadline that one of them or a timer has.
    private func callHooks() -> Int64? {
        var earliest: Int64?
        for hook in self.state.withValue({ $0.hooks }) {
            guard let deadline = hook.endOfTurn() else { continue }
            earliest = min(earliest ?? .max, deadline)
        }
        guard let timer = self.state.withValue({ $0.timers.next }) else { return earliest }
        return min(earliest ?? .max, timer)
    }

    private struct Timeout {
        /// Nil waits for an event, however long it takes.
        let nanoseconds: Int64?
    }

    /// How long to wait; nil when the loop is stopping.
    ///
    /// From here on others wake the loop.
    private func timeout(until deadline: Int64?) -> Timeout? {
        let hasWork = self.state.withValue { !$0.local.isEmpty }
        let (isStopping, hasMail) = self.mailbox.withLock { mailbox in
            let hasMail = !mailbox.work.isEmpty
            mailbox.isWaiting = !hasWork && !hasMail
            return (mailbox.isStopping, hasMail)
        }
        if isStopping { return nil }
        if hasWork || hasMail { return Timeout(nanoseconds: 0) }
        return Timeout(nanoseconds: deadline.map { max(0, $0 - Self.now) })
    }

    private func collectMail() {
        let mail = self.mailbox.withLock { mailbox in
            mailbox.isWaiting = false
            var mail: [Work] = []
            swap(&mail, &mailbox.work)
            return mail
        }
        guard !mail.isEmpty else { return }
        self.state.withValue { $0.local.append(contentsOf: mail) }
    }

    private func dispatch(_ tag: UInt64, _ readiness: Readiness) {
        guard tag != Self.wakeUpTag else { return SystemCalls.lower(self.wakeUp) }
        let watch = Watch(tag: tag)
        // An earlier event of the same turn may have ended this watch.
        guard let slot = self.state.withValue({ $0.watches.armed(watch) }) else { return }
        slot.watcher?.ready(readiness, token: slot.token)
    }
}

/// Sends the jobs of tasks to a loop, for as long as the loop turns.
final class LoopTaskExecutor: TaskExecutor {
    let loop = Mutex<EventLoop?>(nil)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.loop.withLock { $0 }?.enqueueTask(job)
    }
}

/// The actor whose one job is the loop's whole life.
private actor Root: LoopActor {
    nonisolated let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    func turn() {
        self.loop.turn()
    }
}

extension EventLoop.Mailbox {
    /// Whether the thread has to be woken; only the first one to ask is told so.
    mutating func takeWaiting() -> Bool {
        defer { self.isWaiting = false }
        return self.isWaiting
    }
}

extension EventLoop.Watch {
    var tag: UInt64 { UInt64(self.generation) << 32 | UInt64(self.slot) }

    init(tag: UInt64) {
        self.slot = Int(tag & 0xFFFF_FFFF)
        self.generation = UInt32(tag >> 32)
    }
}

extension [EventLoop.WatchSlot] {
    func armed(_ watch: EventLoop.Watch) -> EventLoop.WatchSlot? {
        guard self[watch.slot].generation == watch.generation, self[watch.slot].watcher != nil else { return nil }
        return self[watch.slot]
    }
}
