import EventLoop
import ToastCore

/// Where the channels of one loop append: what they append in a turn goes to the store together.
///
/// The loop's thread and the store's wake each other once a turn, however many channels have something to store. To
/// wake them for each append would cost more than the append, and make each a commit of its own. No task waits for
/// the store here: to send one there and back takes several jobs of the loop.
actor LoopStore: LoopActor {
    nonisolated let loop: EventLoop
    private nonisolated let store: any EventStore
    /// Those that have something to append in this turn; each is here once at most.
    private var gathered: [Channel] = []

    init(loop: EventLoop, store: any EventStore) {
        self.loop = loop
        self.store = store
    }

    /// Appends what a channel of this loop has at the end of the turn, and tells it how that ended.
    func gather(_ channel: Channel) {
        // Behind all that the loop has to do in this turn.
        if self.gathered.isEmpty { self.loop.execute { self.assumeIsolated { $0.send() } } }
        self.gathered.append(channel)
    }

    private func send() {
        let batch = self.gathered.map { channel in
            (channel, channel.onLoop(()) { channel, _ in channel.takePending() })
        }
        self.gathered = []
        let loop = self.loop
        self.store.append(batch.map(\.1.change)) { failures in
            loop.execute {
                for ((channel, commit), failure) in zip(batch, failures) {
                    channel.onLoop((commit, failure)) { $0.endCommit($1.0, $1.1) }
                }
            }
        }
    }
}

/// How the channels of a loop append.
enum Appending {
    /// To a store that never waits.
    case atOnce(any ImmediateStore)
    /// To one that waits, all together.
    case together(LoopStore)

    init(to store: any EventStore, on loop: EventLoop) {
        self = store.immediate.map(Self.atOnce) ?? .together(LoopStore(loop: loop, store: store))
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
