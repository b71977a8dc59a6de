import Synchronization
import ToastCore

/// Counts requests, so that what their answers need stays until the last one is there.
final class Activity: Sendable {
    private struct State {
        var count = 0
        var isClosed = false
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Begins a request; refused after ``close()``.
    func begin() throws(StoreError) {
        let isOpen = self.state.withLock { state in
            if !state.isClosed { state.count += 1 }
            return !state.isClosed
        }
        if !isOpen { throw .closed }
    }

    /// Ends a request.
    func end() {
        let closing = self.state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.closing = [] }
            return state.closing
        }
        for continuation in closing { continuation.resume() }
    }

    /// Lets no more requests begin, and returns when all have ended.
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
