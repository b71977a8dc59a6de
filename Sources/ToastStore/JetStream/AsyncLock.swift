import Synchronization
import ToastCore

/// A lock that a task may hold across suspensions; waiting tasks get it in the order of their calls.
final class AsyncLock: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Runs a task while nobody else has the lock.
    func callAsFunction<Value: Sendable>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        await withCheckedContinuation { continuation in
            let isFree = self.state.withLock { state in
                defer { state.isTaken = true }
                if state.isTaken { state.waiting.append(continuation) }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
        defer { self.unlock() }
        return try await body()
    }

    private func unlock() {
        let next = self.state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
