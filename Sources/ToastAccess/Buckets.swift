public import ToastCore

/// Token buckets by name: each holds so many tokens, and gets one back every so often.
///
/// The table is bounded: when it is full, buckets that are full again are forgotten, which changes nothing, and then those
/// that are nearest to it.
public struct Buckets: Sendable {
    /// How full one bucket is.
    public struct Level: Hashable, Sendable {
        /// Whether the token that was asked for was there.
        public let isGranted: Bool

        /// How many whole tokens are left.
        public let remaining: Int

        /// How long it takes until there is a token again; zero when there is one.
        public let wait: Interval
    }

    private struct Bucket {
        /// When the bucket will be full, as in the generic cell rate algorithm: the only thing to remember.
        var fullAt: Int64
    }

    /// How many tokens a bucket holds.
    public let capacity: Int

    /// How long it takes to get one token back.
    public let interval: Interval

    private var buckets: [String: Bucket] = [:]
    private let maximumCount: Int

    /// Buckets that are all full.
    ///
    /// - Parameters:
    ///   - capacity: How many tokens a bucket holds, at least one.
    ///   - interval: How long it takes to get one token back.
    ///   - maximumCount: How many buckets are remembered.
    public init(capacity: Int, interval: Interval, maximumCount: Int = 65_536) {
        self.capacity = max(1, capacity)
        self.interval = interval
        self.maximumCount = maximumCount
    }

    /// Takes a token out of a bucket, if there is one.
    ///
    /// - Parameters:
    ///   - name: Whose bucket.
    ///   - now: The instant.
    /// - Returns: How full the bucket is then.
    public mutating func take(from name: String, at now: Instant) -> Level {
        let level = self.level(of: name, at: now)
        guard level.isGranted else { return level }
        if self.buckets[name] == nil { self.makeRoom(at: now.nanoseconds) }
        let fullAt = max(self.buckets[name]?.fullAt ?? 0, now.nanoseconds) + self.interval.nanoseconds
        self.buckets[name] = Bucket(fullAt: fullAt)
        return Level(isGranted: true, remaining: level.remaining - 1, wait: .zero)
    }

    /// Looks into a bucket: whether a token is there, without taking it.
    public func level(of name: String, at now: Instant) -> Level {
        let whole = self.interval.nanoseconds * Int64(self.capacity)
        // A clock that was set back must not make anyone wait for longer than it takes to fill the bucket.
        let missing = min(whole, max(0, (self.buckets[name]?.fullAt ?? 0) - now.nanoseconds))
        let remaining = Int((whole - missing) / self.interval.nanoseconds)
        let wait = remaining > 0 ? 0 : missing + self.interval.nanoseconds - whole
        return Level(isGranted: remaining > 0, remaining: remaining, wait: Interval(nanoseconds: wait))
    }

    private mutating func makeRoom(at now: Int64) {
        guard self.buckets.count >= self.maximumCount else { return }
        self.buckets = self.buckets.filter { $0.value.fullAt > now }
        // Still near the bound: a quarter at once, so that a flood of names does not cost a walk over all for each.
        guard self.buckets.count > self.maximumCount / 4 * 3 else { return }
        let fullest = self.buckets.sorted { $0.value.fullAt < $1.value.fullAt }.prefix(max(1, self.maximumCount / 4))
        for (name, _) in fullest { self.buckets[name] = nil }
    }
}
