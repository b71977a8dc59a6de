import EventLoop
import ToastCore

/// Collects the appends of one loop's channels until all jobs that are already queued have run.
///
/// Then it passes all of them to the log together, so that the log's thread is woken once, however many channels have
/// something to store. Waking it for each append would cost more than the append, and with SQLite each append would be
/// a transaction of its own. No task waits for the log here, because resuming one takes several jobs of the loop.
actor AppendBatcher: LoopActor {
    nonisolated let loop: EventLoop
    private let log: any EventLog
    /// Channels with something to append, each once.
    private var gathered: [Channel] = []

    init(loop: EventLoop, log: any EventLog) {
        self.loop = loop
        self.log = log
    }

    /// Appends the pending changes of a channel of this loop in a later job, and reports the outcome to it.
    func gather(_ channel: Channel) {
        if self.gathered.isEmpty {
            // Runs after the jobs that are queued now, so that their channels are gathered, too.
            self.execute { $0.appendGathered() }
        }
        self.gathered.append(channel)
    }

    private func appendGathered() {
        let channels = self.gathered
        self.gathered = []
        // Captures no changes: the log may hold this closure for one append long after the others are stored.
        self.log.append(channels.map { $0.onLoop(()) { channel, _ in channel.makeAppend() } }) { index, outcome in
            channels[index].receive(outcome)
        }
    }
}
