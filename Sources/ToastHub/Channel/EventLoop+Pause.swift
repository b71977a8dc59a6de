import EventLoop

extension EventLoop {
    /// Suspends a task of this loop until its continuation is resumed; the task then continues on this loop.
    ///
    /// A continuation resumes its task on the executor that the task prefers. Without a preference that is Swift's
    /// thread pool, where a thread would wake only to send the task back here. The task reaches the body through the
    /// loop's queue, so other jobs may have run since the call.
    nonisolated(nonsending) func pause<Value: Sendable>(
        _ body: (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        await withTaskExecutorPreference(self.taskExecutor) {
            await withCheckedContinuation { body($0) }
        }
    }
}
