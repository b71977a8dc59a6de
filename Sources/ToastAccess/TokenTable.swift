import Crypto
import ToastCore

/// Random names that were handed out, each for someone's rights and for a while: sessions, or tickets.
///
/// Kept by their digests, so that what is in memory is nothing that can be shown.
///
/// A principal has a tenth of all names at most, and past that its own oldest ones go: so no principal costs another one a
/// name, or alone keeps others from getting one. When all are taken, who has none is refused.
struct TokenTable: Sendable {
    private struct Entry {
        let principal: Principal
        let end: Instant
    }

    /// The names of one principal.
    private struct Share {
        /// How many there are.
        var count = 0
        /// Their digests from `start` on, the oldest first, with those of names that are gone between them.
        var digests: [SHA256.Digest] = []
        var start = 0
    }

    private var entries: [SHA256.Digest: Entry] = [:]
    private var shares: [String: Share] = [:]
    private let maximumCount: Int
    private let maximumShare: Int
    /// Names that are still to be looked at, in the present walk over all of them; see ``sweep(at:)``.
    private var unswept: [SHA256.Digest] = []

    /// The most names that are looked at for one that is issued.
    private static let sweepStep = 256

    init(atMost maximumCount: Int) {
        self.maximumCount = maximumCount
        self.maximumShare = max(1, maximumCount / 10)
    }

    /// How many names there are.
    var count: Int { self.entries.count }

    /// Hands out a name; throws `full` when all are taken by others.
    mutating func issue(for principal: Principal, until end: Instant, at now: Instant) throws(Refusal) -> String {
        self.withdrawEnded(of: principal.name, at: now)
        if self.entries.count >= self.maximumCount { self.sweep(at: now) }
        let isFull = self.entries.count >= self.maximumCount
        if isFull || self.shares[principal.name]?.count ?? 0 >= self.maximumShare {
            guard self.withdrawOldest(of: principal.name) else { throw .full }
        }
        let name = APIKey.hexadecimal(APIKey.randomBytes(32))
        let digest = Self.digest(name)
        self.entries[digest] = Entry(principal: principal, end: end)
        self.add(digest, to: principal.name)
        return name
    }

    /// Who was given a name; nil when it was never issued, or has ended.
    func principal(of name: String, at now: Instant) -> Principal? {
        guard let entry = self.entries[Self.digest(name)], now < entry.end else { return nil }
        return entry.principal
    }

    /// Takes a name back.
    mutating func withdraw(_ name: String) {
        self.withdraw(Self.digest(name))
    }

    /// Takes back all names of those who are no longer known.
    mutating func withdraw(unless isKnown: (Principal) -> Bool) {
        let gone = self.entries.filter { !isKnown($0.value.principal) }
        for digest in gone.keys { self.withdraw(digest) }
    }

    /// Takes back names that have ended, of those that are next in the walk.
    ///
    /// A few at a time, because a walk over 100,000 would hold a loop, and the lock, for too long.
    private mutating func sweep(at now: Instant) {
        if self.unswept.isEmpty { self.unswept = Array(self.entries.keys) }
        for digest in self.unswept.suffix(Self.sweepStep) {
            if let end = self.entries[digest]?.end, end <= now { self.withdraw(digest) }
        }
        self.unswept.removeLast(min(Self.sweepStep, self.unswept.count))
    }

    private mutating func withdraw(_ digest: SHA256.Digest) {
        guard let holder = self.entries.removeValue(forKey: digest)?.principal.name else { return }
        let count = (self.shares[holder]?.count ?? 1) - 1
        if count > 0 { self.shares[holder]?.count = count } else { self.shares[holder] = nil }
    }

    /// Takes back the oldest name of a principal.
    ///
    /// - Returns: Whether there was one.
    private mutating func withdrawOldest(of holder: String) -> Bool {
        guard let oldest = self.oldest(of: holder) else { return false }
        self.withdraw(oldest)
        return true
    }

    /// Takes back the oldest names of a principal that have ended.
    private mutating func withdrawEnded(of holder: String, at now: Instant) {
        while let oldest = self.oldest(of: holder), let end = self.entries[oldest]?.end, end <= now {
            self.withdraw(oldest)
        }
    }

    /// The oldest name of a principal, by its digest; those before it that are gone are looked at once.
    private mutating func oldest(of holder: String) -> SHA256.Digest? {
        while let share = self.shares[holder], share.start < share.digests.count {
            let digest = share.digests[share.start]
            if self.entries[digest] != nil { return digest }
            self.shares[holder]?.start += 1
        }
        return nil
    }

    private mutating func add(_ digest: SHA256.Digest, to holder: String) {
        var share = self.shares.removeValue(forKey: holder) ?? Share()
        share.count += 1
        share.digests.append(digest)
        // Names that are gone make up half of the list at most, so each costs the same in the long run.
        if share.digests.count > 2 * share.count + 16 {
            share.digests = share.digests[share.start...].filter { self.entries[$0] != nil }
            share.start = 0
        }
        self.shares[holder] = share
    }

    private static func digest(_ name: String) -> SHA256.Digest {
        SHA256.hash(data: Array(name.utf8))
    }
}
