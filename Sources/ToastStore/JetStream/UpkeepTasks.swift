import Synchronization

/// The tasks that tidy up behind changes; each is cancelled when the store closes.
///
/// At most ``limit`` run at a time; further ones are not started. The next task, or the next pruning of the store,
/// removes what such a task would have removed.
final class UpkeepTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var next = 0
        var isClosed = false
    }

    private static let limit = 64

    private let state = Mutex(State())

    /// Starts a task, unless there are too many.
    func start(_ body: @escaping @Sendable () async -> Void) {
        self.state.withLock { state in
            guard !state.isClosed, state.tasks.count < Self.limit else { return }
            let number = state.next
            state.next += 1
            state.tasks[number] = Task {
                await body()
                self.state.withLock { _ = $0.tasks.removeValue(forKey: number) }
            }
        }
    }

    /// Cancels all tasks and waits until they have ended; no more are started.
    func close() async {
        let tasks = self.state.withLock { state in
            state.isClosed = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
