package import ToastCore

/// Token buckets by name, all with the same capacity and refill interval.
///
/// The table is bounded: when it is full, full buckets are removed, which changes nothing, and then those that are
/// nearly full.
package struct Buckets<Name: Hashable & Sendable>: Sendable {
    /// The level of a bucket.
    package struct Level: Hashable, Sendable {
        /// Whether the requested tokens were available.
        package let isGranted: Bool

        /// The whole tokens that are left.
        package let remaining: Int

        /// The time until the requested tokens are available; zero when they are.
        package let wait: Interval

        /// The time until the bucket is full.
        package let refill: Interval
    }

    /// The capacity of a bucket in tokens.
    package let capacity: Int

    /// The time to regain one token.
    package let interval: Interval

    /// When each bucket will be full, as in the generic cell rate algorithm; no other state is needed.
    private(set) var fullAt: [Name: Int64] = [:]
    private let maximumCount: Int
    private let rule: Rule

    /// Full buckets of a capacity of at least one token, which regain a token in each interval.
    ///
    /// `maximumDebt` is how many tokens past its capacity a bucket can owe, `maximumCount` the most buckets in the
    /// table.
    package init(capacity: Int, interval: Interval, maximumDebt: Int = 0, maximumCount: Int = 65_536) {
        self.capacity = max(1, capacity)
        self.interval = interval
        self.maximumCount = maximumCount
        self.rule = Rule(
            whole: interval.nanoseconds * Int64(self.capacity),
            interval: interval.nanoseconds,
            longest: interval.nanoseconds * Int64(self.capacity + maximumDebt)
        )
    }

    /// Takes tokens from a bucket, if they are available; returns the level afterwards.
    ///
    /// A full bucket grants more than its capacity and then owes the rest, up to `maximumDebt`. So every request can be
    /// granted at some time.
    package mutating func take(_ count: Int = 1, from name: Name, at now: Instant) -> Level {
        if self.fullAt.count >= self.maximumCount { self.makeRoom(at: now.nanoseconds) }
        // A single look-up, because every request calls this.
        return self.rule.take(count, at: now.nanoseconds, &self.fullAt[name, default: 0])
    }

    /// The level of a bucket for one token, without taking it.
    package func level(of name: Name, at now: Instant) -> Level {
        self.rule.level(1, self.rule.missing(self.fullAt[name] ?? 0, at: now.nanoseconds))
    }

    /// The arithmetic, in nanoseconds.
    private struct Rule {
        let whole: Int64
        let interval: Int64
        let longest: Int64

        func take(_ count: Int, at now: Int64, _ fullAt: inout Int64) -> Level {
            let missing = self.missing(fullAt, at: now)
            let level = self.level(count, missing)
            guard level.isGranted else { return level }
            let owed = min(self.longest, missing + self.interval * Int64(count))
            fullAt = now + owed
            return Level(
                isGranted: true,
                remaining: Int(max(0, self.whole - owed) / self.interval),
                wait: .zero,
                refill: Interval(nanoseconds: owed)
            )
        }

        /// The time until the bucket is full.
        func missing(_ fullAt: Int64, at now: Int64) -> Int64 {
            // No bucket takes longer than `longest` to fill. If this one seems to, the clock was set back, and it
            // counts as full.
            fullAt - now > self.longest ? 0 : max(0, fullAt - now)
        }

        func level(_ count: Int, _ missing: Int64) -> Level {
            let needed = min(self.interval * Int64(count), self.whole)
            return Level(
                isGranted: missing + needed <= self.whole,
                remaining: Int(max(0, self.whole - missing) / self.interval),
                wait: Interval(nanoseconds: max(0, missing + needed - self.whole)),
                refill: Interval(nanoseconds: missing)
            )
        }
    }

    private mutating func makeRoom(at now: Int64) {
        self.fullAt = self.fullAt.filter { $0.value > now }
        // If the table is still nearly full, removes a quarter at once, so that a flood of names does not cost a full
        // walk for each.
        guard self.fullAt.count > self.maximumCount / 4 * 3 else { return }
        let fullest = self.fullAt.sorted { $0.value < $1.value }.prefix(max(1, self.maximumCount / 4))
        for (name, _) in fullest { self.fullAt[name] = nil }
    }
}
