import Foundation
import ToastCore

/// What one reading of the access file says: which keys and tokens are known, and what they may do.
///
/// Immutable, and an object, because each request holds one for a moment.
///
/// Readings are numbered. Every ``Principal`` bears the number of the reading that it was checked by, so that what was
/// cached, issued or opened by an older one can be checked again by this one, however many lie between.
final class AccessPolicy: Sendable {
    /// A key of the file.
    struct Key: Sendable {
        let stored: AccessFile.Key

        /// The first reading from which on the key had this digest, without a break.
        let since: Int
    }

    /// The number of this reading; 0 before there was one.
    let generation: Int

    /// The API keys by their ids.
    let keys: [String: Key]

    /// How tokens are verified, as the file has it.
    let tokens: AccessFile.Tokens?

    /// Verifies tokens by that.
    let verifier: TokenVerifier?

    /// The first reading from which on no key for tokens was taken away or replaced; keys may have been added.
    let tokensSince: Int

    /// A policy without keys: every credential is refused.
    init() {
        self.generation = 0
        self.keys = [:]
        self.tokens = nil
        self.verifier = nil
        self.tokensSince = 0
    }

    /// The reading that comes behind another one.
    ///
    /// - Parameters:
    ///   - file: What was read.
    ///   - verifier: The verifier for its tokens.
    ///   - old: The reading before.
    init(_ file: AccessFile, _ verifier: TokenVerifier?, behind old: AccessPolicy) {
        let generation = old.generation + 1
        let keys = file.keys.map { key in
            let known = old.keys[key.id].flatMap { $0.stored.digest == key.digest ? $0.since : nil }
            return (key.id, Key(stored: key, since: known ?? generation))
        }
        self.generation = generation
        self.keys = Dictionary(uniqueKeysWithValues: keys)
        self.tokens = file.tokens
        self.verifier = verifier
        let areTokensKept = old.tokens.map { file.tokens?.isExtension(of: $0) ?? false } ?? true
        self.tokensSince = areTokensKept ? old.tokensSince : generation
    }

    /// Whether someone may still do all that they could when they were checked.
    ///
    /// Not when their key is gone, has another secret or fewer rights now or ends sooner; and not when tokens are verified
    /// in another way now.
    func knows(_ principal: Principal) -> Bool {
        // Checked by this reading, or by one that comes after it and so has the last word.
        guard !principal.isAnonymous, principal.generation < self.generation else { return true }
        guard let id = principal.keyID else { return principal.generation >= self.tokensSince }
        guard let key = self.keys[id], principal.generation >= key.since else { return false }
        // A ticket has some of its maker's rights, so they only have to be there still, and for as long.
        let isInTime = key.stored.end.map { end in principal.expires.map { $0 <= end } ?? false } ?? true
        return isInTime && principal.grants.allSatisfy { $0.isPart(of: key.stored.grants) }
    }

    /// Who shows an API key; `nil` when there is no such key.
    func principal(showing key: APIKey) -> Principal? {
        let known = self.keys[key.id]?.stored
        // A key that is not known takes as long as one that is.
        guard key.matches(known?.digest ?? String(repeating: "0", count: 64)), let known else { return nil }
        let principal = Principal(name: "key:\(known.id)", grants: known.grants, expires: known.end)
        return principal.checked(by: self.generation)
    }
}

extension Principal {
    /// The id of the API key that this is.
    fileprivate var keyID: String? {
        self.name.hasPrefix("key:") ? String(self.name.dropFirst("key:".count)) : nil
    }
}

extension AccessFile.Key {
    /// When it ends; a file may say 9999-12-31 and mean never: what is past the last instant ends with it.
    fileprivate var end: Instant? {
        self.expires.map { Instant(nanoseconds: 0) + Interval(seconds: $0.timeIntervalSince1970) }
    }
}
