import Synchronization

/// A value that only one thread touches: the thread that claimed it first.
///
/// `@unchecked Sendable` is right because every access goes through ``withValue(_:)``, which stops the program
/// unless it runs on the claiming thread; so no two threads ever see the value, and none needs a lock.
final class ThreadConfined<Value>: @unchecked Sendable {
    /// Unchecked by Swift, because ``withValue(_:)`` is the only access and checks it itself, for a twentieth of the
    /// instructions: the loop's state is read some ten times in each turn.
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

    /// Reads or changes the value; stops the program on another thread, and when the body uses the value again.
    func withValue<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        precondition(self.isOwned, "This belongs to another loop's thread.")
        precondition(!self.isInUse, "The body uses the value that it is given once more.")
        self.isInUse = true
        defer { self.isInUse = false }
        return unsafe try body(&self.value)
    }
}
