import Synchronization

/// A number that one thread changes and every thread may read.
///
/// There is one for each loop, and whoever reads adds them up. So a change needs no lock and no locked instruction: it is a
/// load and a store. Two threads that changed the same counter would lose some of each other's changes.
public final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    /// A counter at zero.
    public init() {}

    /// Where it stands.
    public var value: Int { self.number.load(ordering: .relaxed) }

    /// Adds to it, or takes away from it; only on the thread that the counter belongs to.
    public func add(_ change: Int = 1) {
        self.number.store(self.number.load(ordering: .relaxed) &+ change, ordering: .relaxed)
    }

    /// Puts it to a value; only on the thread that the counter belongs to.
    public func set(_ value: Int) {
        self.number.store(value, ordering: .relaxed)
    }
}

/// Counters with numbers below ``capacity``, one for each case of something; they are written and read as a ``Counter`` is.
public final class CounterArray: Sendable {
    /// How many counters there are.
    public static let capacity = 64

    private let numbers = InlineArray<64, Atomic<Int>> { _ in Atomic(0) }

    /// All at zero.
    public init() {}

    /// Where a counter stands.
    public func value(_ index: Int) -> Int { self.numbers[index].load(ordering: .relaxed) }

    /// Adds to a counter; only on the thread that the tally belongs to.
    public func add(_ index: Int, _ change: Int = 1) {
        self.numbers[index].store(self.numbers[index].load(ordering: .relaxed) &+ change, ordering: .relaxed)
    }
}
