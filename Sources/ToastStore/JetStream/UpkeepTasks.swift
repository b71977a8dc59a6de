import Synchronization

/// The tasks that a store runs beside its calls; each is cancelled when the store closes.
///
/// A task that tidies up is skipped while ``limit`` tasks run; the next one, or the next pruning, does its work too.
final class UpkeepTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var next = 0
        var isClosed = false
    }

    /// From so many tasks on, no further one that tidies up is started.
    static let limit = 64

    private let state = Mutex(State())

    var count: Int { self.state.withLock { $0.tasks.count } }

    /// Starts a task, unless ``limit`` tasks run or the store is closed.
    ///
    /// - Parameters:
    ///   - isNeeded: Whether the task starts however many run, because nothing else would do its work; the caller
    ///     bounds their number.
    ///   - body: What the task does.
    func start(isNeeded: Bool = false, _ body: @escaping @Sendable () async -> Void) {
        self.state.withLock { state in
            guard !state.isClosed, isNeeded || state.tasks.count < Self.limit else { return }
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
