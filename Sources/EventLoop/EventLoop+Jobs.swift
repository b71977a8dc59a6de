import Synchronization

// How the loop runs Swift's jobs.

extension EventLoop {
    /// Runs one piece of work.
    ///
    /// Safe, because the loop outlives the call.
    func run(_ work: Work) {
        switch work {
        case .actorJob(let job):
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
        case .taskJob(let job):
            unsafe job.runSynchronously(on: self.taskExecutor.asUnownedTaskExecutor())
        case .closure(let closure):
            closure()
        }
    }
}

/// Sends the jobs of tasks to a loop, for as long as the loop turns.
final class LoopTaskExecutor: TaskExecutor {
    let loop = Mutex<EventLoop?>(nil)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.loop.withLock { $0 }?.queue(.taskJob(job))
    }
}
