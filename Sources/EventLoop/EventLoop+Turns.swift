import Synchronization

// What the loop's thread does, turn by turn.

extension EventLoop {
    /// How many jobs run before the loop looks at descriptors and timers again.
    private static let jobsPerTurn = 1024

    /// The thread's whole life.
    func main() {
        self.state.claim()
        defer {
            self.state.release()
            self.tasks.loop.withLock { $0 = nil }
        }
        let root = Root(loop: self)
        Task(executorPreference: self.taskExecutor) { await root.turn() }
        // The first job in the queue is the root's; all others run inside it, as part of this executor.
        while !self.mailbox.withLock({ $0.isStopping }) {
            let work = self.takeLocalWork()
            guard !work.isEmpty else { break }
            for work in work { self.run(work) }
        }
        self.dropRest()
    }

    /// Releases the remaining timers and jobs, so that none keeps the loop's owner, and with it the loop, alive.
    private func dropRest() {
        let timers = self.state.withValue { state in
            defer { state.timers = TimerQueue() }
            return state.timers
        }
        let local = self.takeLocalWork()
        let queued = self.mailbox.withLock { mailbox in
            defer { mailbox.work = [] }
            return mailbox.work
        }
        // Released outside the lock: the `deinit` of an owner may use the loop.
        withExtendedLifetime((timers, local, queued)) {}
    }

    /// Turns until the loop is stopped.
    ///
    /// Runs inside a job, so that everything it calls runs inside a job, too.
    fileprivate func turn() {
        var events = EventBuffer(capacity: 256)
        var start = Self.now
        while true {
            self.runJobs()
            self.fireTimers()
            let deadline = self.callHooks(begunAt: start)
            guard let timeout = self.timeout(until: deadline) else { return }
            // The kernel refuses only wrong arguments, which would be a bug here.
            guard let count = try? self.epoll.wait(into: &events, timeout: timeout) else {
                preconditionFailure("\(self.description) can no longer wait.")
            }
            start = Self.now
            self.collectMail()
            for index in 0..<count { self.dispatch(events.tag(at: index), events.readiness(at: index)) }
        }
    }

    private func runJobs() {
        var left = Self.jobsPerTurn
        while left > 0 {
            let batch = self.takeLocalWork()
            guard !batch.isEmpty else { return }
            for work in batch { self.run(work) }
            left -= batch.count
        }
    }

    private func takeLocalWork() -> [Work] {
        self.state.withValue { state in
            var work: [Work] = []
            swap(&work, &state.local)
            return work
        }
    }

    private func fireTimers() {
        let now = Self.now
        while let alarm = self.state.withValue({ $0.timers.popDue(at: now) }) {
            alarm.sleeper.wake(token: alarm.token)
        }
    }

    /// Calls the hooks of a turn; returns the earliest deadline of a hook or a timer.
    private func callHooks(begunAt start: Int64) -> Int64? {
        var earliest: Int64?
        for hook in self.state.withValue({ $0.hooks }) {
            guard let deadline = hook.endTurn(begunAt: start) else { continue }
            earliest = min(earliest ?? .max, deadline)
        }
        guard let timer = self.state.withValue({ $0.timers.next }) else { return earliest }
        return min(earliest ?? .max, timer)
    }

    /// How many nanoseconds to wait, `.max` for any time; nil when the loop is stopping.
    ///
    /// If the loop is going to wait, work that another thread queues wakes it from here on.
    private func timeout(until deadline: Int64?) -> Int64? {
        let hasWork = self.state.withValue { !$0.local.isEmpty }
        let (isStopping, hasMail) = self.mailbox.withLock { mailbox in
            let hasMail = !mailbox.work.isEmpty
            mailbox.isWaiting = !hasWork && !hasMail
            return (mailbox.isStopping, hasMail)
        }
        if isStopping { return nil }
        if hasWork || hasMail { return 0 }
        return deadline.map { max(0, $0 - Self.now) } ?? .max
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
        guard tag != Self.wakeUpTag else { return self.wakeUp.lower() }
        let watch = Watch(tag: tag)
        // An earlier event of the same turn may have ended this watch.
        guard let slot = self.state.withValue({ $0.watches.armed(watch) }) else { return }
        slot.watcher?.ready(readiness, token: slot.token)
    }
}

/// The actor whose only job runs all turns of the loop.
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
    /// Whether the thread has to be woken; true only for the first caller.
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
