import Crypto

/// The principals of tokens that were verified by one reading of the access file, because verifying a signature takes
/// long.
///
/// Bounded, in two generations: when the recent one has half of the maximum, it replaces the older one. An entry that
/// is found in the older one moves to the recent one.
struct TokenCache: Sendable {
    private var recent: [SHA256.Digest: Principal] = [:]
    private var older: [SHA256.Digest: Principal] = [:]
    private let halfCount: Int

    /// An empty cache for this number of tokens, at least two.
    init(atMost maximumCount: Int) {
        self.halfCount = max(1, maximumCount / 2)
    }

    /// The principal of a token; `nil` when it is not in the cache.
    mutating func principal(of digest: SHA256.Digest) -> Principal? {
        if let principal = self.recent[digest] { return principal }
        guard let principal = self.older.removeValue(forKey: digest) else { return nil }
        self.remember(principal, of: digest)
        return principal
    }

    mutating func remember(_ principal: Principal, of digest: SHA256.Digest) {
        if self.recent.count >= self.halfCount {
            self.older = self.recent
            self.recent = [:]
        }
        self.recent[digest] = principal
    }

    mutating func removeAll() {
        self.recent = [:]
        self.older = [:]
    }
}
