import Crypto

/// Tokens that were verified by one reading of the access file, by their digests, because a signature takes long to verify.
///
/// Bounded, and what was asked for lately stays: an entry that nobody asks for goes when as many others came as half of the
/// cache holds.
struct TokenCache: Sendable {
    private var recent: [SHA256.Digest: Principal] = [:]
    private var older: [SHA256.Digest: Principal] = [:]
    private let halfCount: Int

    /// An empty cache.
    ///
    /// - Parameter maximumCount: The most tokens that it holds, at least two.
    init(atMost maximumCount: Int) {
        self.halfCount = max(1, maximumCount / 2)
    }

    /// Who shows a token; `nil` when it was not verified lately.
    mutating func principal(of digest: SHA256.Digest) -> Principal? {
        if let principal = self.recent[digest] { return principal }
        guard let principal = self.older.removeValue(forKey: digest) else { return nil }
        self.remember(principal, of: digest)
        return principal
    }

    /// Remembers who shows a token.
    mutating func remember(_ principal: Principal, of digest: SHA256.Digest) {
        if self.recent.count >= self.halfCount {
            self.older = self.recent
            self.recent = [:]
        }
        self.recent[digest] = principal
    }

    /// Forgets all tokens.
    mutating func removeAll() {
        self.recent = [:]
        self.older = [:]
    }
}
