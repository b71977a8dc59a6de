import Crypto
import ToastCore

/// Random names that were handed out, each for someone's rights and for a while: sessions, or tickets.
///
/// Kept by their digests, so that what is in memory is nothing that can be shown.
struct IssuedNames: Sendable {
    private struct Entry {
        let principal: Principal
        let end: Instant
    }

    private var entries: [SHA256.Digest: Entry] = [:]
    private let maximumCount: Int

    init(atMost maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    /// Hands out a name; throws `full` when there are as many as may be.
    mutating func issue(for principal: Principal, until end: Instant, at now: Instant) throws(Refusal) -> String {
        if self.entries.count >= self.maximumCount { self.keep { now < $0.end } }
        guard self.entries.count < self.maximumCount else { throw .full }
        let name = APIKey.hexadecimal(APIKey.randomBytes(32))
        self.entries[Self.digest(name)] = Entry(principal: principal, end: end)
        return name
    }

    /// Who was given a name; nil when it was never issued, or has ended.
    func principal(of name: String, at now: Instant) -> Principal? {
        guard let entry = self.entries[Self.digest(name)], now < entry.end else { return nil }
        return entry.principal
    }

    /// Takes a name back.
    mutating func withdraw(_ name: String) {
        self.entries[Self.digest(name)] = nil
    }

    /// Takes back all names of those who are no longer known.
    mutating func withdraw(unless isKnown: (Principal) -> Bool) {
        self.keep { isKnown($0.principal) }
    }

    private mutating func keep(_ isKept: (Entry) -> Bool) {
        self.entries = self.entries.filter { isKept($0.value) }
    }

    private static func digest(_ name: String) -> SHA256.Digest {
        SHA256.hash(data: Array(name.utf8))
    }
}
