import Crypto
import Foundation
import Synchronization
public import ToastCore

/// What someone shows to prove who they are.
public enum Credential: Sendable {
    /// Nothing.
    case none
    /// An API key or a token, from `Authorization: Bearer`.
    case bearer(String)
    /// The name of a session, from a cookie.
    case session(String)
    /// A ticket for one stream, from the query.
    case ticket(String)
}

/// Why someone is not let in.
public enum Refusal: Error, Equatable, Sendable {
    /// What was shown is not, or no longer, valid: get another.
    case invalid

    /// Too many attempts failed from the same place: wait.
    case tooManyAttempts(wait: Interval)

    /// There is no room for another session or ticket: wait.
    case full
}

/// Knows who may do what: one for the whole server, used by all loops.
public final class Gatekeeper: Sendable {
    private struct State {
        var keys: [String: AccessFile.Key] = [:]
        var tokens: AccessFile.Tokens?
        var verifier: TokenVerifier?
        /// Tokens that were verified lately, by their digests, because a signature takes long to verify.
        var verified: [SHA256.Digest: Principal] = [:]
        var sessions: IssuedNames
        var tickets: IssuedNames
        /// Failed attempts by source: 30 in a row, then one a minute (as ntfy has it); nil when they are not counted.
        var attempts: Buckets<String>? = Buckets(capacity: 30, interval: Interval(seconds: 60))
    }

    private let state: Mutex<State>
    private let anonymous: Principal

    /// How long a session lasts, if what it was made with does not end sooner.
    public static let sessionLength = Interval(seconds: 12 * 3600)

    /// How long a ticket can be used.
    public static let ticketLength = Interval(seconds: 30)

    private static let maximumVerified = 4096

    /// Who knows nobody but those who show nothing.
    ///
    /// - Parameters:
    ///   - anonymous: What they may do, on all channels.
    ///   - sessions: The most sessions at a time.
    ///   - tickets: The most tickets at a time.
    public init(anonymous: Set<Scope>, sessions: Int = 100_000, tickets: Int = 10_000) {
        self.state = Mutex(State(sessions: IssuedNames(atMost: sessions), tickets: IssuedNames(atMost: tickets)))
        self.anonymous = .anonymous(anonymous)
    }

    /// Lets so many attempts from one source fail in a row, and one more in each interval, from now on; `nil` as many as
    /// they like.
    ///
    /// Whoever has to wait by a rule that stays as it was still has to.
    public func limitAttempts(to rule: (burst: Int, interval: Interval)?) {
        self.state.withLock { state in
            guard let rule else { return state.attempts = nil }
            if let old = state.attempts, old.capacity == rule.burst, old.interval == rule.interval { return }
            state.attempts = Buckets(capacity: rule.burst, interval: rule.interval)
        }
    }

    /// Takes over a file, in place of the one before.
    ///
    /// Sessions and tickets end at once when the key that they were made with is gone, is another one, has fewer rights now
    /// or ends before them, and all that were made with tokens when the keys for tokens are others.
    ///
    /// - Parameter file: The file.
    /// - Returns: Who still may do what they could: for ending the streams of the others.
    /// - Throws: The key that cannot be used; then all stays as it was.
    @discardableResult
    public func adopt(_ file: AccessFile) async throws(AccessError) -> @Sendable (Principal) -> Bool {
        var verifier: TokenVerifier?
        if let tokens = file.tokens { verifier = try await TokenVerifier(tokens) }
        let keys = Dictionary(uniqueKeysWithValues: file.keys.map { ($0.id, $0) })
        return self.state.withLock { state in
            let areTokensSame = file.tokens == state.tokens
            let known = state.keys
            let isSame: @Sendable (Principal) -> Bool = { principal in
                if principal.isAnonymous { return true }
                guard let id = principal.keyID else { return areTokensSame }
                // Under the same name there may be another secret now.
                guard let key = keys[id], key.digest == known[id]?.digest else { return false }
                // A ticket has some of its maker's rights, so they only have to be there still, and for as long.
                let isInTime = key.end.map { end in principal.expires.map { $0 <= end } ?? false } ?? true
                return isInTime && principal.grants.allSatisfy { $0.isPart(of: key.grants) }
            }
            state.keys = keys
            state.tokens = file.tokens
            state.verifier = verifier
            state.verified = [:]
            state.sessions.withdraw(unless: isSame)
            state.tickets.withdraw(unless: isSame)
            return isSame
        }
    }

    /// Finds out who shows something.
    ///
    /// - Parameters:
    ///   - credential: What they show.
    ///   - source: Where they are, for counting failed attempts; only asked for when something is shown.
    ///   - now: The wall clock.
    /// - Returns: Who it is, and what they may do.
    /// - Throws: Why they are not let in.
    public func principal(
        showing credential: Credential,
        from source: @autoclosure () -> String,
        at now: @autoclosure () -> Instant
    ) throws(Refusal) -> Principal {
        switch credential {
        case .none: return self.anonymous
        // A browser keeps sending the cookie of a session that has ended: no attempt at anything.
        case .session: return self.find(credential, at: now()) ?? self.anonymous
        case .bearer, .ticket: break
        }
        let now = now()
        let source = source()
        let attempts = self.state.withLock { $0.attempts?.level(of: source, at: now) }
        if let attempts, !attempts.isGranted { throw .tooManyAttempts(wait: attempts.wait) }
        guard let principal = self.find(credential, at: now), principal.expires.map({ now < $0 }) ?? true else {
            _ = self.state.withLock { $0.attempts?.take(from: source, at: now) }
            throw .invalid
        }
        return principal
    }

    /// Opens a session for someone.
    ///
    /// - Parameters:
    ///   - principal: Who it is for.
    ///   - now: The wall clock.
    /// - Returns: Its name, a secret, and when it ends.
    /// - Throws: `full` when there are as many sessions as may be.
    public func openSession(for principal: Principal, at now: Instant) throws(Refusal) -> (name: String, end: Instant) {
        let end = [principal.expires, now + Self.sessionLength].compactMap(\.self).min() ?? now
        let ending = Principal(name: principal.name, grants: principal.grants, expires: end)
        let name = try self.state.withLock { state throws(Refusal) in
            try state.sessions.issue(for: ending, until: end, at: now)
        }
        return (name, end)
    }

    /// Ends a session; nothing happens when there is none.
    public func closeSession(_ name: String) {
        self.state.withLock { $0.sessions.withdraw(name) }
    }

    /// Hands out a ticket that opens one stream.
    ///
    /// - Parameters:
    ///   - principal: Who opens it, with the rights that it will have.
    ///   - now: The wall clock.
    /// - Returns: The ticket, a secret.
    /// - Throws: `full` when there are as many tickets as may be.
    public func ticket(for principal: Principal, at now: Instant) throws(Refusal) -> String {
        try self.state.withLock { state throws(Refusal) in
            try state.tickets.issue(for: principal, until: now + Self.ticketLength, at: now)
        }
    }

    private func find(_ credential: Credential, at now: Instant) -> Principal? {
        switch credential {
        case .none:
            return self.anonymous
        case .bearer(let text):
            guard let key = APIKey(text) else { return self.verified(text, at: now) }
            let stored = self.state.withLock { $0.keys[key.id] }
            // A key that is not known takes as long as one that is.
            guard key.matches(stored?.digest ?? String(repeating: "0", count: 64)) else { return nil }
            return stored?.principal
        case .session(let name):
            return self.state.withLock { $0.sessions.principal(of: name, at: now) }
        case .ticket(let name):
            return self.state.withLock { state in
                defer { state.tickets.withdraw(name) }
                return state.tickets.principal(of: name, at: now)
            }
        }
    }

    private func verified(_ token: String, at now: Instant) -> Principal? {
        let digest = SHA256.hash(data: Array(token.utf8))
        let (known, verifier) = self.state.withLock { ($0.verified[digest], $0.verifier) }
        if let known { return known }
        guard let principal = verifier?.principal(showing: token, at: now) else { return nil }
        self.state.withLock { state in
            if state.verified.count >= Self.maximumVerified { state.verified = [:] }
            state.verified[digest] = principal
        }
        return principal
    }
}

extension Principal {
    /// The id of the API key that this is.
    fileprivate var keyID: String? {
        self.name.hasPrefix("key:") ? String(self.name.dropFirst("key:".count)) : nil
    }
}

extension AccessFile.Key {
    fileprivate var principal: Principal {
        Principal(name: "key:\(self.id)", grants: self.grants, expires: self.end)
    }

    /// When it ends; a file may say 9999-12-31 and mean never: what is past the last instant ends with it.
    fileprivate var end: Instant? {
        self.expires.map { Instant(nanoseconds: 0) + Interval(seconds: $0.timeIntervalSince1970) }
    }
}
