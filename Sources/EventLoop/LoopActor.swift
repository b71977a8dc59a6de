/// An actor that lives on a loop: its methods run on the loop's thread, and nowhere else.
public protocol LoopActor: Actor {
    /// The loop that runs the actor.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    /// The loop as the actor's executor.
    ///
    /// Safe while the actor lives, because the actor holds its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe self.loop.asUnownedSerialExecutor() }

    /// Runs a body isolated to the actor, on the loop's thread; stops the program on any other.
    ///
    /// For calls that are made for each request or turn: callbacks of C, sockets of the server that are ready, the end
    /// of a turn in the server and the fan-out, and the calls between a channel, its timer and its batcher. The body
    /// captures nothing; what it needs is an argument. `assumeIsolated(_:)` allocates two objects for a body, and asks
    /// the runtime for the current executor: with it a transition of the engine takes 25 % more instructions. Other
    /// code uses `assumeIsolated(_:)`.
    ///
    /// The cast is safe: the precondition proves that this is the actor's thread, and an isolated parameter is passed
    /// as any other.
    @inlinable
    public nonisolated func onLoop<Argument, Result>(
        _ argument: Argument,
        _ body: @escaping (isolated Self, Argument) -> Result
    ) -> Result {
        precondition(self.loop.isCurrent, "This actor belongs to another thread.")
        return unsafe unsafeBitCast(body, to: ((Self, Argument) -> Result).self)(self, argument)
    }

    /// Runs a body isolated to the actor in a later job of the loop; may be called from anywhere.
    ///
    /// It runs after all work that was queued before it from the same thread, as with ``EventLoop/execute(_:)``.
    @inlinable
    public nonisolated func execute(_ body: @escaping @Sendable (isolated Self) -> Void) {
        self.loop.execute { self.assumeIsolated(body) }
    }
}
