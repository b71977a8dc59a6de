// What a loop calls, always on its thread. An actor of the loop conforms with a `nonisolated` method that enters the
// actor by `assumeIsolated` or ``LoopActor/onLoop(_:_:)``: a loop calls actors of many types, so the compiler cannot
// see that they are all its own.

/// Is called when a descriptor is ready.
public protocol Watcher: AnyObject, Sendable {
    /// The descriptor watched under `token` is ready.
    ///
    /// Level-triggered: the call is repeated in every turn until the cause is gone.
    func ready(_ readiness: Readiness, token: Int)
}

/// Is called when a deadline has passed.
public protocol Sleeper: AnyObject, Sendable {
    /// The timer scheduled under `token` has fired; it is no longer armed.
    func wake(token: Int)
}

/// Is called at the end of every turn, right before the loop waits: to send what the turn has gathered.
public protocol TurnHook: AnyObject, Sendable {
    /// Does what is due.
    ///
    /// - Parameter start: When the turn began: when the loop returned from waiting, as read from ``EventLoop/now``.
    /// - Returns: The ``EventLoop/now`` by which it must be called again at the latest; `nil` for none.
    func endTurn(begunAt start: Int64) -> Int64?
}
