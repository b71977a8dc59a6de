import Synchronization
import ToastCore

/// The appends that are under way or wait: one at a time in each channel, different channels at the same time.
final class AppendQueue: Sendable {
    /// An append, and what is called with its outcome.
    struct Job: Sendable {
        let change: Append
        let end: @Sendable (AppendOutcome) -> Void
    }

    private struct State {
        /// The appends of each channel that has some; the first is under way.
        var jobs: [ChannelName: [Job]] = [:]
        var count = 0
        var isClosed = false
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    /// The most appends; more are refused, which bounds the memory while the cluster does not answer.
    static let capacity = 65_536

    private let state = Mutex(State())

    var isClosed: Bool { self.state.withLock { $0.isClosed } }

    /// Adds an append.
    ///
    /// - Returns: Whether it is to be started now.
    /// - Throws: Why it is refused.
    func add(_ job: Job) throws(StoreError) -> Bool {
        try self.state.withLock { (state) throws(StoreError) in
            guard !state.isClosed else { throw .closed }
            guard state.count < Self.capacity else {
                throw .unavailable("Too many changes wait for the cluster. Publish again later.")
            }
            state.count += 1
            state.jobs[job.change.channel, default: []].append(job)
            return state.jobs[job.change.channel]?.count == 1
        }
    }

    /// Removes a channel's append that was under way; returns the one to start now.
    func finish(_ channel: ChannelName) -> Job? {
        let (next, closing): (Job?, [CheckedContinuation<Void, Never>]) = self.state.withLock { state in
            state.count -= 1
            var next: Job?
            if let place = state.jobs.index(forKey: channel) {
                state.jobs.values[place].removeFirst()
                next = state.jobs.values[place].first
                if next == nil { state.jobs.remove(at: place) }
            }
            guard state.count == 0 else { return (next, []) }
            defer { state.closing = [] }
            return (next, state.closing)
        }
        for continuation in closing { continuation.resume() }
        return next
    }

    /// Takes no more appends, and returns when those that were taken have ended.
    func close() async {
        await withCheckedContinuation { continuation in
            let isEmpty = self.state.withLock { state in
                state.isClosed = true
                if state.count > 0 { state.closing.append(continuation) }
                return state.count == 0
            }
            if isEmpty { continuation.resume() }
        }
    }
}
