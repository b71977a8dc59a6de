import EventLoop
import ToastCore

/// Collects the appends of one loop's channels until all jobs that are already queued have run.
///
/// Then it passes all of them to the log together, so that the log's thread is woken once, however many channels have
/// something to store. Waking it for each append would cost more than the append, and with SQLite each append would be
/// a transaction of its own. No task waits for the log here, because resuming one takes several jobs of the loop. A log
/// that gains nothing from batches gets each change at once.
actor AppendBatcher: LoopActor {
    nonisolated let loop: EventLoop
    private let log: any EventLog
    private let gathers: Bool
    /// Channels with something to append, each once.
    private var gathered: [Channel] = []

    init(loop: EventLoop, log: any EventLog) {
        self.loop = loop
        self.log = log
        self.gathers = log.gathersAppends
    }

    /// Appends the pending changes of a channel of this loop, and reports the outcome to it, possibly before this
    /// returns.
    func gather(_ channel: Channel) {
        guard self.gathers else { return self.append([Self.change(of: channel)], of: [channel]) }
        if self.gathered.isEmpty {
            // Runs after the jobs that are queued now, so that their channels are gathered, too.
            self.execute { $0.appendGathered() }
        }
        self.gathered.append(channel)
    }

    private func appendGathered() {
        let channels = self.gathered
        self.gathered = []
        self.append(channels.map(Self.change), of: channels)
    }

    private nonisolated static func change(of channel: Channel) -> Append {
        channel.onLoop(()) { channel, _ in channel.makeAppend() }
    }

    private func append(_ changes: [Append], of channels: [Channel]) {
        // Captures no changes: the log may hold this closure for one append long after the others are stored.
        self.log.append(changes) { index, outcome in
            let channel = channels[index]
            // A log that does not wait, or refuses the change, calls back on this thread.
            guard !channel.loop.isCurrent else { return Self.end(channel, outcome) }
            channel.loop.execute { Self.end(channel, outcome) }
        }
    }

    private nonisolated static func end(_ channel: Channel, _ outcome: AppendOutcome) {
        channel.onLoop(outcome) { $0.endCommit($1) }
    }
}
