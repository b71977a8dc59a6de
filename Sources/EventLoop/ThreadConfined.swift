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
    var isOwned: Bool { self.owner.load(ordering: .relaxed) == SystemThread.current }

    /// Makes the calling thread the owner, once.
    func claim() {
        let (isFirst, _) = self.owner.compareExchange(expected: 0, desired: SystemThread.current, ordering: .relaxed)
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
