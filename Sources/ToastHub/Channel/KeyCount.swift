/// The number of stored idempotency keys of a channel, as far as it is known.
///
/// At the limit, each new key displaces the oldest key of the owner with the most keys. So an owner that keeps sending
/// new keys displaces only its own, and owners with fewer keys than an equal share lose none.
struct KeyCount {
    /// The number at the last count, plus those added since.
    private(set) var number = 0

    /// The time of the last count.
    private(set) var countedAt: Int64?

    /// The number per owner; known only at the limit, to save a dictionary of owners per channel.
    private var owners: [String: Int] = [:]

    /// How long a count at the limit is valid, in nanoseconds; a count reads all keys.
    private static let interval: Int64 = 10_000_000_000

    /// Whether the keys have to be counted before another one is added.
    func isUnknown(at now: Int64, limit: Int) -> Bool {
        guard let countedAt = self.countedAt else { return true }
        return self.number >= limit && (self.owners.isEmpty || now - countedAt >= Self.interval)
    }

    /// Whether there may be stored keys.
    var mayBeAny: Bool { self.number > 0 || self.countedAt == nil }

    /// Takes a new count.
    mutating func take(_ number: Int, at now: Int64) {
        (self.number, self.countedAt, self.owners) = (number, now, [:])
    }

    /// Takes a new count for each owner.
    mutating func take(_ owners: [String: Int], at now: Int64, limit: Int) {
        self.take(owners.values.reduce(0, +), at: now)
        if self.number >= limit { self.owners = owners }
    }

    /// Whether a key of an owner can be added; false when each stored key is the only one of another owner.
    func hasRoom(for owner: String, limit: Int) -> Bool {
        self.number < limit || self.owners[owner, default: 0] > 0 || self.owners.values.contains { $0 > 1 }
    }

    /// Adds a key.
    ///
    /// - Returns: The owner that loses its oldest key for it; `nil` when there is room.
    mutating func add(_ owner: String, limit: Int) -> String? {
        self.number += 1
        // There are no counts per owner when concurrent requests reached the limit after this one was checked. They
        // are few, so the excess is small.
        guard self.number > limit, !self.owners.isEmpty else { return nil }
        let own = self.owners[owner, default: 0] + 1
        self.owners[owner] = own
        guard let most = self.owners.max(by: { $0.value < $1.value }) else { return nil }
        let loser = own == most.value ? owner : most.key
        self.owners[loser] = most.value - 1
        self.number -= 1
        return loser
    }
}
