public import ToastCore

/// Token buckets by name: each holds so many tokens, and gets one back every so often.
///
/// The table is bounded: when it is full, buckets that are full again are forgotten, which changes nothing, and then those
/// that are nearest to it.
public struct Buckets<Name: Hashable & Sendable>: Sendable {
    /// How full one bucket is.
    public struct Level: Hashable, Sendable {
        /// Whether the tokens that were asked for were there.
        public let isGranted: Bool

        /// How many whole tokens are left.
        public let remaining: Int

        /// How long it takes until what was asked for is there; zero when it is.
        public let wait: Interval

        /// How long it takes until the bucket is full.
        public let refill: Interval
    }

    /// How many tokens a bucket holds.
    public let capacity: Int

    /// How long it takes to get one token back.
    public let interval: Interval

    /// When each bucket will be full, as in the generic cell rate algorithm: the only thing to remember.
    private var fullAt: [Name: Int64] = [:]
    private let maximumCount: Int
    private let maximumDebt: Int

    /// Buckets that are all full.
    ///
    /// - Parameters:
    ///   - capacity: How many tokens a bucket holds, at least one.
    ///   - interval: How long it takes to get one token back.
    ///   - maximumDebt: How many more than a bucket holds are ever asked for at once.
    ///   - maximumCount: How many buckets are remembered.
    public init(capacity: Int, interval: Interval, maximumDebt: Int = 0, maximumCount: Int = 65_536) {
        self.capacity = max(1, capacity)
        self.interval = interval
        self.maximumDebt = maximumDebt
        self.maximumCount = maximumCount
    }

    /// How many buckets are remembered now.
    public var count: Int { self.fullAt.count }

    /// Takes tokens out of a bucket, if they are there.
    ///
    /// More than a bucket holds are given by a full one, which then owes the rest: so whatever is asked for can be had at
    /// some time, and all of it counts.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - name: Whose bucket.
    ///   - now: The instant.
    /// - Returns: How full the bucket is then.
    public mutating func take(_ count: Int = 1, from name: Name, at now: Instant) -> Level {
        if self.fullAt.count >= self.maximumCount { self.makeRoom(at: now.nanoseconds) }
        let rule = self.rule
        // One look-up for all: this is on the way of every request.
        return rule.take(count, at: now.nanoseconds, &self.fullAt[name, default: 0])
    }

    /// Looks into a bucket: whether a token is there, without taking it.
    public func level(of name: Name, at now: Instant) -> Level {
        let rule = self.rule
        return rule.level(1, rule.missing(self.fullAt[name] ?? 0, at: now.nanoseconds))
    }

    private var rule: Rule {
        Rule(
            whole: self.interval.nanoseconds * Int64(self.capacity),
            interval: self.interval.nanoseconds,
            longest: self.interval.nanoseconds * Int64(self.capacity + self.maximumDebt)
        )
    }

    /// What is counted with, in nanoseconds.
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

        /// How much time's worth of tokens is missing, or owed.
        func missing(_ fullAt: Int64, at now: Int64) -> Int64 {
            // No bucket takes longer than `longest` to fill. If this one seems to, the clock was set back: count it as full.
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
        // Still near the bound: a quarter at once, so that a flood of names does not cost a walk over all for each.
        guard self.fullAt.count > self.maximumCount / 4 * 3 else { return }
        let fullest = self.fullAt.sorted { $0.value < $1.value }.prefix(max(1, self.maximumCount / 4))
        for (name, _) in fullest { self.fullAt[name] = nil }
    }
}
