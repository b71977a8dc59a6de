import Synchronization

/// A value that only one thread touches: the thread that claimed it first.
///
/// `@unchecked Sendable` is right because every access goes through ``withValue(_:)``, which stops the program
/// unless it runs on the claiming thread; so no two threads ever see the value, and none needs a lock.
final class ThreadConfined<Value>: @unchecked Sendable {
    private var value: Value
    private let owner = Atomic<UInt>(0)

    init(_ value: sending Value) {
        self.value = value
    }

    /// Whether the calling thread is the one that claimed the value.
    var isOwned: Bool { self.owner.load(ordering: .relaxed) == SystemCalls.currentThread() }

    /// Makes the calling thread the owner, once.
    func claim() {
        let (isFirst, _) = self.owner.compareExchange(
            expected: 0,
            desired: SystemCalls.currentThread(),
            ordering: .relaxed
        )
        precondition(isFirst, "A loop runs on one thread, and only once.")
    }

    /// Reads or changes the value.
    ///
    /// The body must not call out: nothing else may touch the value meanwhile.
    func withValue<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        precondition(self.isOwned, "This belongs to another loop's thread.")
        return try body(&self.value)
    }
}

/// An actor that lives on a loop: its methods run on the loop's thread, and nowhere else.
public protocol LoopActor: Actor {
    /// The loop that runs the actor.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    /// The loop, as the runtime names executors.
    ///
    /// Safe while the actor lives, because the actor holds its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe self.loop.asUnownedSerialExecutor() }

    /// Does something with the actor at once, on the loop's thread; stops the program on any other.
    ///
    /// As `assumeIsolated(_:)`, with an argument in place of what the body would capture. That function makes two objects
    /// for its body and asks the runtime for the executor, which is too much for what happens several times a request.
    ///
    /// Safe for the same reasons: only one thread runs the actor, and a function with an isolated parameter is called as
    /// any other.
    ///
    /// - Parameters:
    ///   - argument: What the body needs.
    ///   - body: What to do; captures nothing.
    /// - Returns: What the body returns.
    @inlinable
    public nonisolated func onLoop<Argument, Result>(
        _ argument: Argument,
        _ body: @escaping (isolated Self, Argument) -> Result
    ) -> Result {
        precondition(self.loop.isCurrent, "This actor belongs to another thread.")
        return unsafe unsafeBitCast(body, to: ((Self, Argument) -> Result).self)(self, argument)
    }
}

extension EventLoop {
    /// Runs a job of an actor of this loop.
    ///
    /// Safe, because the loop outlives the call.
    func runActorJob(_ job: UnownedJob) {
        unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
    }

    /// Runs a job of a task that prefers this loop.
    ///
    /// Safe, because the loop outlives the call.
    func runTaskJob(_ job: UnownedJob) {
        unsafe job.runSynchronously(on: self.taskExecutor.asUnownedTaskExecutor())
    }
}
