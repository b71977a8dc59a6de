/// Who is called when a descriptor is ready.
///
/// Calls come on the loop's thread.
///
/// An actor of the loop conforms with `nonisolated` methods that enter it by `assumeIsolated`.
public protocol Watcher: AnyObject, Sendable {
    /// The descriptor watched under `token` is ready. Level-triggered: it comes again until the cause is gone.
    func ready(_ readiness: Readiness, token: Int)
}

/// Who is called when a deadline has come.
///
/// Calls come on the loop's thread.
public protocol Sleeper: AnyObject, Sendable {
    /// The timer scheduled under `token` has fired; it is no longer armed.
    func wake(token: Int)
}

/// Who is called at the end of every turn, right before the loop waits: to send what the turn has gathered.
public protocol TurnHook: AnyObject, Sendable {
    /// Does what is due; answers when it wants to be called again though nothing else happened.
    func endOfTurn() -> Int64?
}
