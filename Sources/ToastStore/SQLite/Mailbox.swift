import Dispatch
import Synchronization

/// The queue from all callers to one worker thread.
///
/// Bounded: when ``capacity`` requests wait, the newest is refused, so that a disk that hangs costs a known amount of
/// memory. Senders wait for the answer, so the bound is reached only when the disk is stuck.
final class Mailbox<Request: Sendable>: Sendable {
    private struct State {
        var waiting: [Request] = []
        var isClosed = false
        /// Whether the worker found nothing and has not been signalled since.
        var isAsleep = false

        /// Notes that the worker is awake; returns whether it must be signalled for that.
        mutating func wake() -> Bool {
            defer { self.isAsleep = false }
            return self.isAsleep
        }
    }

    /// The most requests that wait.
    static var capacity: Int { 65_536 }

    private let state = Mutex(State())
    private let semaphore = DispatchSemaphore(value: 0)

    /// Adds a request; `false` when it was refused, because the mailbox is full or closed.
    func send(_ request: Request) -> Bool {
        let wakes: Bool? = self.state.withLock { state in
            guard !state.isClosed, state.waiting.count < Self.capacity else { return nil }
            state.waiting.append(request)
            return state.wake()
        }
        if wakes == true { self.semaphore.signal() }
        return wakes != nil
    }

    var isClosed: Bool { self.state.withLock { $0.isClosed } }

    /// Takes all waiting requests, oldest first; `nil` once the mailbox is closed and empty.
    ///
    /// Sleeps while there are none, and returns an empty array when the time is up. Only the worker calls this.
    func next(within patience: DispatchTimeInterval) -> [Request]? {
        let end = DispatchTime.now() + patience
        while true {
            let requests: [Request]? = self.state.withLock { state in
                guard !state.waiting.isEmpty || !state.isClosed else { return nil }
                state.isAsleep = state.waiting.isEmpty
                defer { state.waiting = [] }
                return state.waiting
            }
            guard let requests, requests.isEmpty else { return requests }
            // After a timeout a request may still signal; then the worker looks once too often.
            if self.semaphore.wait(timeout: end) == .timedOut { return [] }
        }
    }

    /// Accepts no more requests, but still delivers those that wait; idempotent.
    func close() {
        let wakes = self.state.withLock { state in
            state.isClosed = true
            return state.wake()
        }
        if wakes { self.semaphore.signal() }
    }
}
