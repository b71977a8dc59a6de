import Foundation
import ToastCore

/// The keys, tokens and permissions of one reading of the access file.
///
/// An immutable class, because each request holds one for a moment.
///
/// Readings are numbered. Every ``Principal`` has the number of the reading that checked it, so that cached tokens,
/// sessions and streams of an older reading can be checked again by this one.
final class AccessPolicy: Sendable {
    /// A key of the file.
    struct Key: Sendable {
        let stored: AccessFile.Key

        /// The principal of requests with this key.
        let principal: Principal

        /// The number of the first reading since which the key has had this digest.
        let since: Int
    }

    /// The number of this reading; 0 before the first one.
    let generation: Int

    /// The API keys by their ids.
    let keys: [String: Key]

    /// Verifies tokens by the file's rules for them; `nil` when it has none.
    let verifier: TokenVerifier?

    /// The number of the last reading that removed or changed a token key, the audience or the issuer; 0 for none.
    let tokensSince: Int

    /// A reading of the file after another one; without a file it refuses every credential.
    init(_ file: AccessFile = AccessFile(), _ verifier: TokenVerifier? = nil, after old: AccessPolicy?) {
        let generation = old.map { $0.generation + 1 } ?? 0
        let keys = file.keys.map { key in
            let known = old?.keys[key.id].flatMap { $0.stored.digest == key.digest ? $0.since : nil }
            let principal = Principal(
                name: "key:\(key.id)",
                grants: key.grants,
                expires: key.end,
                evidence: key.evidence,
                generation: generation
            )
            return (key.id, Key(stored: key, principal: principal, since: known ?? generation))
        }
        self.generation = generation
        self.keys = Dictionary(uniqueKeysWithValues: keys)
        self.verifier = verifier
        let areTokensKept = old?.verifier.map { verifier?.evidence.isSuperset(of: $0.evidence) ?? false } ?? true
        self.tokensSince = areTokensKept ? old?.tokensSince ?? 0 : generation
    }

    /// Whether a principal still has the permissions that it had when it was checked.
    ///
    /// It does not when its key was removed, has another secret or fewer permissions, or expires sooner, or when the
    /// rules for tokens have changed.
    func knows(_ principal: Principal) -> Bool {
        // A principal that was checked by this or a later reading has its permissions.
        guard !principal.isAnonymous, principal.generation < self.generation else { return true }
        guard let id = principal.keyID else { return principal.generation >= self.tokensSince }
        guard let key = self.keys[id], principal.generation >= key.since else { return false }
        return key.stored.covers(principal)
    }

    /// The principal of an API key; `nil` when the key is unknown, or its secret is wrong.
    func principal(showing key: APIKey) -> Principal? {
        let known = self.keys[key.id]
        // An unknown key takes as long as a known one.
        guard key.matches(known?.stored.digest ?? String(repeating: "0", count: 64)) else { return nil }
        return known?.principal
    }

    /// The name that people gave the key of a principal; `nil` for other principals.
    func keyName(of principal: Principal) -> String? {
        principal.keyID.flatMap { self.keys[$0]?.stored.name }
    }

    /// The holder of a session or a ticket that any node has issued, checked by this reading; `nil` when its key is not
    /// in it, or has fewer permissions.
    func holder(of credential: SealedCredential) -> Principal? {
        let holder = credential.holder
        if let id = holder.keyID {
            guard let key = self.keys[id], key.stored.evidence == holder.evidence, key.stored.covers(holder) else {
                return nil
            }
        } else if !holder.isAnonymous {
            guard let verifier, verifier.evidence.contains(holder.evidence) else { return nil }
        }
        return holder.copy(generation: self.generation)
    }
}

extension Principal {
    /// The id of the principal's API key; nil for other principals.
    fileprivate var keyID: String? {
        self.name.hasPrefix("key:") ? String(self.name.dropFirst("key:".count)) : nil
    }
}

extension AccessFile.Key {
    /// The first 64 bits of its digest; see ``Principal/evidence``.
    fileprivate var evidence: UInt64 { UInt64(self.digest.prefix(16), radix: 16) ?? 0 }

    /// Whether the key has the permissions of a principal, and expires no sooner.
    ///
    /// A ticket has some of its issuer's permissions, so it is enough that the key has those.
    fileprivate func covers(_ principal: Principal) -> Bool {
        let isInTime = self.end.map { end in principal.expires.map { $0 <= end } ?? false } ?? true
        return isInTime && principal.grants.allSatisfy { $0.isPart(of: self.grants) }
    }

    /// When it expires.
    ///
    /// A date past the last ``Instant``, such as 9999-12-31, becomes the last one.
    fileprivate var end: Instant? {
        self.expires.map { Instant(nanoseconds: 0) + Interval(seconds: $0.timeIntervalSince1970) }
    }
}
