import Synchronization

/// A lock that tasks may hold across suspensions; waiting tasks get it in the order of their calls.
///
/// An actor does not suffice: it is reentrant, so another task enters while one is suspended in it.
package final class TaskLock: Sendable {
    private struct State {
        var holders = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    /// A free lock that `limit` tasks may hold at a time.
    package init(atOnce limit: Int = 1) {
        self.limit = limit
    }

    /// Waits until the lock is free, and takes it.
    package func lock() async {
        await withCheckedContinuation { continuation in
            let isFree = self.state.withLock { state in
                guard state.holders >= self.limit else {
                    state.holders += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Passes the lock to the next waiting task, or frees it.
    package func unlock() {
        let next = self.state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.holders -= 1
            return nil
        }
        next?.resume()
    }
}
