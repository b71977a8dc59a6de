import Crypto
import ToastCore

/// Random names that stand for a principal for some time: sessions, or tickets.
///
/// Only their digests are kept, so that memory holds nothing that can be used.
///
/// A principal has a tenth of all names at most; past that its own oldest names are removed. So no principal takes a
/// name from another, or alone exhausts the table. When the table is full, a principal without a name is refused.
struct TokenTable: Sendable {
    private struct Entry {
        let principal: Principal
        let end: Instant
    }

    /// The names of one principal.
    private struct Share {
        /// The number of names.
        var count = 0
        /// Their digests, oldest first; digests of withdrawn names may be among them.
        var digests: ArraySlice<SHA256.Digest> = []
    }

    private var entries: [SHA256.Digest: Entry] = [:]
    private var shares: [String: Share] = [:]
    private let maximumCount: Int
    private let maximumShare: Int
    /// The names that the current walk over all of them has not visited; see ``sweep(at:)``.
    private var unswept: [SHA256.Digest] = []

    /// The most names that the walk visits for each issued name.
    private static let sweepStep = 256

    init(atMost maximumCount: Int) {
        self.maximumCount = maximumCount
        self.maximumShare = max(1, maximumCount / 10)
    }

    /// The number of names.
    var count: Int { self.entries.count }

    /// Issues a random name; throws `full` when other principals have all of them.
    mutating func issue(
        for principal: Principal,
        until end: Instant,
        at now: Instant
    ) throws(AuthenticationError) -> String {
        let name = APIKey.randomBytes(32).hexadecimal
        _ = try self.issue(name, for: principal, until: end, at: now)
        return name
    }

    /// Issues a name that the caller has made; throws `full` when other principals have all of them.
    ///
    /// Returns the oldest name of the principal when it was withdrawn before its time to make room.
    mutating func issue(
        _ name: String,
        for principal: Principal,
        until end: Instant,
        at now: Instant
    ) throws(AuthenticationError) -> (digest: SHA256.Digest, end: Instant)? {
        self.withdrawEnded(of: principal.name, at: now)
        if self.entries.count >= self.maximumCount { self.sweep(at: now) }
        let isFull = self.entries.count >= self.maximumCount
        var displaced: (digest: SHA256.Digest, end: Instant)?
        if isFull || self.shares[principal.name]?.count ?? 0 >= self.maximumShare {
            guard let oldest = self.oldest(of: principal.name), let entry = self.entries[oldest] else { throw .full }
            displaced = (digest: oldest, end: entry.end)
            self.withdraw(oldest)
        }
        let digest = Self.digest(name)
        self.entries[digest] = Entry(principal: principal, end: end)
        self.add(digest, to: principal.name)
        return displaced
    }

    /// The principal of a name; nil when it was never issued or has expired.
    func principal(of name: String, at now: Instant) -> Principal? {
        guard let entry = self.entries[Self.digest(name)], now < entry.end else { return nil }
        return entry.principal
    }

    /// Whether a name with a digest was issued and not withdrawn; it may have expired.
    func contains(_ digest: SHA256.Digest) -> Bool { self.entries[digest] != nil }

    /// Withdraws a name; returns whether it was there.
    mutating func withdraw(_ name: String) -> Bool {
        self.withdraw(Self.digest(name))
    }

    /// Withdraws the names of all principals that are no longer known.
    mutating func withdraw(unless isKnown: (Principal) -> Bool) {
        let gone = self.entries.filter { !isKnown($0.value.principal) }
        for digest in gone.keys { self.withdraw(digest) }
    }

    /// Withdraws expired names among those that are next in the walk.
    ///
    /// A few at a time, because a walk over 100,000 names would hold the lock, and a loop, for too long.
    private mutating func sweep(at now: Instant) {
        if self.unswept.isEmpty { self.unswept = Array(self.entries.keys) }
        for digest in self.unswept.suffix(Self.sweepStep) {
            if let end = self.entries[digest]?.end, end <= now { self.withdraw(digest) }
        }
        self.unswept.removeLast(min(Self.sweepStep, self.unswept.count))
    }

    @discardableResult
    private mutating func withdraw(_ digest: SHA256.Digest) -> Bool {
        guard let holder = self.entries.removeValue(forKey: digest)?.principal.name else { return false }
        let count = (self.shares[holder]?.count ?? 1) - 1
        if count > 0 { self.shares[holder]?.count = count } else { self.shares[holder] = nil }
        return true
    }

    /// Withdraws the oldest names of a principal that have expired.
    private mutating func withdrawEnded(of holder: String, at now: Instant) {
        while let oldest = self.oldest(of: holder), let end = self.entries[oldest]?.end, end <= now {
            self.withdraw(oldest)
        }
    }

    /// The digest of the oldest name of a principal; skips withdrawn ones for good.
    private mutating func oldest(of holder: String) -> SHA256.Digest? {
        while let digest = self.shares[holder]?.digests.first {
            if self.entries[digest] != nil { return digest }
            self.shares[holder]?.digests.removeFirst()
        }
        return nil
    }

    private mutating func add(_ digest: SHA256.Digest, to holder: String) {
        var share = self.shares.removeValue(forKey: holder) ?? Share()
        share.count += 1
        share.digests.append(digest)
        // At most half of the list are withdrawn names, so the amortized cost of a name is constant.
        if share.digests.count > 2 * share.count + 16 {
            share.digests = share.digests.filter { self.entries[$0] != nil }[...]
        }
        self.shares[holder] = share
    }

    static func digest(_ name: String) -> SHA256.Digest {
        SHA256.hash(data: Array(name.utf8))
    }
}
