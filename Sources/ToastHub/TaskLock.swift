import Synchronization

/// Lets one task at a time do something that waits for others; they come in the order in which they asked.
///
/// An actor does not: while one task waits in it, the next one comes in.
final class TaskLock: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Waits for one's turn.
    func lock() async {
        await withCheckedContinuation { continuation in
            let isFree = self.state.withLock { state in
                defer { state.isTaken = true }
                if state.isTaken { state.waiting.append(continuation) }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
    }

    /// Ends one's turn.
    func unlock() {
        let next = self.state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
