import Synchronization

/// The limits of a histogram's buckets.
public struct Scale: Hashable, Sendable {
    /// The upper limit of each bucket except the last, which has none; ascending, at most 16.
    public let limits: [Int]

    /// The divisor of exposed values: 1,000,000,000 for nanoseconds that are exposed as seconds.
    public let divisor: Int

    /// Limits in the unit of what is observed.
    public init(limits: [Int], divisor: Int = 1) {
        self.limits = limits
        self.divisor = divisor
    }

    /// Nanoseconds, exposed as seconds: from 100 µs, which a request from memory takes, to 10 s, after which clients
    /// have given up.
    public static let latency = Self(
        limits: [100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000]
            .map { $0 * 1000 } + [1_000_000_000, 2_500_000_000, 10_000_000_000],
        divisor: 1_000_000_000
    )

    /// Nanoseconds, exposed as seconds: from 10 ms, which is at once, to an hour.
    public static let wait = Self(
        limits: [10_000_000, 100_000_000, 500_000_000]
            + [1, 2, 5, 10, 30, 60, 300, 900, 3600].map { $0 * 1_000_000_000 },
        divisor: 1_000_000_000
    )

    /// Nanoseconds, exposed as seconds: turns of a loop, of which none should take longer than 20 ms.
    public static let turn = Self(
        limits: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map { $0 * 1_000_000 },
        divisor: 1_000_000_000
    )

    /// Sizes of batches.
    public static let size = Self(limits: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000])
}

/// A distribution of values: written by one thread, read by any.
public final class Histogram: Sendable {
    /// The values of a histogram at a moment.
    public struct Reading: Hashable, Sendable {
        /// The limits of the buckets.
        public let scale: Scale

        /// How many values are in each bucket, the one without a limit last.
        public private(set) var counts: [Int]

        /// The sum of all values, in the unit of what is observed.
        public private(set) var sum = 0

        /// Nothing observed.
        public init(_ scale: Scale) {
            self.scale = scale
            self.counts = Array(repeating: 0, count: scale.limits.count + 1)
        }

        /// How many values there were.
        public var count: Int { self.counts.reduce(0, +) }

        /// Adds the values of a histogram of the same scale.
        public mutating func add(_ histogram: Histogram) {
            for index in self.counts.indices { self.counts[index] += histogram.numbers[index].load(ordering: .relaxed) }
            self.sum += histogram.total.load(ordering: .relaxed)
        }
    }

    /// The limits of the buckets.
    public let scale: Scale

    fileprivate let numbers = InlineArray<17, Atomic<Int>> { _ in Atomic(0) }
    fileprivate let total = Atomic<Int>(0)

    /// An empty histogram.
    public init(_ scale: Scale) {
        precondition(scale.limits.count <= 16, "A histogram has at most 17 buckets.")
        self.scale = scale
    }

    /// Adds a value; only on the thread that the histogram belongs to.
    public func observe(_ value: Int) {
        var bucket = 0
        while bucket < self.scale.limits.count, value > self.scale.limits[bucket] { bucket += 1 }
        // One thread writes, so a load and a store lose nothing: see ``Counter``.
        self.numbers[bucket].store(self.numbers[bucket].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        self.total.store(self.total.load(ordering: .relaxed) &+ value, ordering: .relaxed)
    }

    /// The current values.
    public var reading: Reading {
        var reading = Reading(self.scale)
        reading.add(self)
        return reading
    }
}
