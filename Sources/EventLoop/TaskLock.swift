import Synchronization

/// A lock that a task may hold across suspensions; waiting tasks get it in the order of their calls.
///
/// An actor does not suffice: it is reentrant, so another task enters while one is suspended in it.
package final class TaskLock: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// A free lock.
    package init() {}

    /// Waits until the lock is free, and takes it.
    package func lock() async {
        await withCheckedContinuation { continuation in
            let isFree = self.state.withLock { state in
                defer { state.isTaken = true }
                if state.isTaken { state.waiting.append(continuation) }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
    }

    /// Passes the lock to the next waiting task, or frees it.
    package func unlock() {
        let next = self.state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
