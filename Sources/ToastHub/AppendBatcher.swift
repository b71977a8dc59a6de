import EventLoop
import ToastCore

/// Where the channels of one loop append: what they append in a turn goes to the log together.
///
/// The loop's thread and the log's wake each other once a turn, however many channels have something to store. To
/// wake them for each append would cost more than the append, and make each a commit of its own. No task waits for
/// the log here: to send one there and back takes several jobs of the loop. A log that gains nothing by it gets each
/// change at once.
actor AppendBatcher: LoopActor {
    nonisolated let loop: EventLoop
    private nonisolated let log: any EventLog
    private nonisolated let gathers: Bool
    /// Those that have something to append in this turn; each is here once at most.
    private var gathered: [Channel] = []

    init(loop: EventLoop, log: any EventLog) {
        self.loop = loop
        self.log = log
        self.gathers = log.gathersAppends
    }

    /// Appends what a channel of this loop has, and tells it how that ended, perhaps before this returns.
    func gather(_ channel: Channel) {
        guard self.gathers else { return self.append([channel]) }
        // After all that the loop has to do in this turn.
        if self.gathered.isEmpty {
            self.loop.execute {
                self.assumeIsolated { store in
                    let channels = store.gathered
                    store.gathered = []
                    store.append(channels)
                }
            }
        }
        self.gathered.append(channel)
    }

    private func append(_ channels: [Channel]) {
        let commits = channels.map { channel in channel.onLoop(()) { channel, _ in channel.takePending() } }
        let loop = self.loop
        self.log.append(commits.map(\.change)) { outcomes in
            // A log that does not wait answers here and now.
            guard !loop.isCurrent else { return Self.end(commits, outcomes) }
            loop.execute { Self.end(commits, outcomes) }
        }
    }

    private nonisolated static func end(_ commits: [Commit], _ outcomes: [AppendOutcome]) {
        for (commit, outcome) in zip(commits, outcomes) {
            commit.channel.onLoop((commit, outcome.error)) { $0.endCommit($1.0, $1.1) }
        }
    }
}

extension EventLoop {
    /// Waits for a continuation, on a task of this loop's thread.
    ///
    /// A continuation takes its task to the executor that the task prefers. Without one that is Swift's pool of threads:
    /// one of them is woken only to send the task back here. The task gets to the body by way of the loop's queue, so
    /// other things may have happened since the call.
    nonisolated(nonsending) func pause<Value: Sendable>(
        _ body: (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        await withTaskExecutorPreference(self.taskExecutor) {
            await withCheckedContinuation { body($0) }
        }
    }
}
