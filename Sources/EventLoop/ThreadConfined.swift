import Synchronization

/// A value that only one thread touches: the thread that claimed it first.
///
/// `@unchecked Sendable` is right because every access goes through ``withValue(_:)``, which stops the program
/// unless it runs on the claiming thread; so no two threads ever see the value, and none needs a lock.
final class ThreadConfined<Value>: @unchecked Sendable {
    /// Swift's check is off, because ``withValue(_:)`` is the only access and makes its own, for a twentieth of the
    /// instructions: the loop's state is used some ten times in each turn.
    @exclusivity(unchecked) private var value: Value
    private var isInUse = false
    private let owner = Atomic<UInt>(0)

    init(_ value: sending Value) {
        unsafe self.value = value
    }

    /// Whether the calling thread is the one that claimed the value.
    var isOwned: Bool { self.owner.load(ordering: .relaxed) == SystemThread.current }

    /// Makes the calling thread the owner, once.
    func claim() {
        let (isFirst, _) = self.owner.compareExchange(expected: 0, desired: SystemThread.current, ordering: .relaxed)
        precondition(isFirst, "A loop runs on one thread, and only once.")
    }

    /// Takes the value from its owner, which is about to end: no thread uses or claims it from now on.
    ///
    /// The system gives the identifier of a thread that has ended to another one.
    func release() { self.owner.store(.max, ordering: .relaxed) }

    /// Reads or changes the value; stops the program on another thread, and when the body uses the value again.
    func withValue<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        precondition(self.isOwned, "This belongs to another loop's thread.")
        precondition(!self.isInUse, "The value is in use: the body must not call withValue(_:) again.")
        self.isInUse = true
        defer { self.isInUse = false }
        return unsafe try body(&self.value)
    }
}
