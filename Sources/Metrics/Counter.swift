import Synchronization

/// A number that one thread or actor changes and every thread may read.
///
/// Each loop has its own, and the reader adds them up. So a change needs no lock and no locked instruction: it is a
/// load and a store. Two threads that changed the same counter at once would lose some of each other's changes.
public final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    /// A counter at zero.
    public init() {}

    /// The current value.
    public var value: Int { self.number.load(ordering: .relaxed) }

    /// Adds to the value, or subtracts from it; only on the thread or actor that the counter belongs to.
    public func add(_ change: Int = 1) {
        self.number.store(self.number.load(ordering: .relaxed) &+ change, ordering: .relaxed)
    }

    /// Sets the value; only on the thread or actor that the counter belongs to.
    public func set(_ value: Int) {
        self.number.store(value, ordering: .relaxed)
    }
}

/// Counters with numbers below 64, one for each case of an enum; written and read like a ``Counter``.
public final class CounterArray: Sendable {
    private let numbers = InlineArray<64, Atomic<Int>> { _ in Atomic(0) }

    /// All at zero.
    public init() {}

    /// How many counters there are.
    public var count: Int { self.numbers.count }

    /// The current value of a counter.
    public func value(_ index: Int) -> Int { self.numbers[index].load(ordering: .relaxed) }

    /// Adds one to a counter; only on the thread or actor that the array belongs to.
    public func add(_ index: Int) {
        self.numbers[index].store(self.numbers[index].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }
}
