import Crypto
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

    /// It is not valid, or not looked at, and too many attempts failed from the same place: wait.
    case tooManyAttempts(wait: Interval)

    /// There is no room for another session or ticket: wait.
    case full
}

/// Knows who may do what: one for the whole server, used by all loops.
public final class Authenticator: Sendable {
    private struct State {
        var policy = AccessPolicy()
        /// Tokens that this policy's verifier accepted; those of an older one are never among them.
        var verified = TokenCache(atMost: 4096)
        var sessions: TokenTable
        var tickets: TokenTable
        /// Failed attempts: 30 in a row, then one a minute (as ntfy has it); nil when they are not counted.
        var attempts: Buckets<Attempt>? = Buckets(capacity: 30, interval: Interval(seconds: 60))
        /// Signatures that were checked in vain.
        var signatures = Buckets<Source>(capacity: 50, interval: Interval(seconds: 0.1))
    }

    /// What failed attempts are counted by.
    private struct Attempt: Hashable, Sendable {
        enum Kind: Sendable { case key, token, ticket }

        let source: Source
        let kind: Kind
    }

    private let state: Mutex<State>
    private let anonymous: Principal

    /// How long a session lasts, if what it was made with does not end sooner.
    public static let sessionLength = Interval(seconds: 12 * 3600)

    /// How long a ticket can be used.
    public static let ticketLength = Interval(seconds: 30)

    /// An authenticator without keys: only requests without a credential are let in.
    ///
    /// - Parameters:
    ///   - anonymous: What they may do, on all channels.
    ///   - sessions: The most sessions at a time.
    ///   - tickets: The most tickets at a time.
    public init(anonymous: Set<Scope>, sessions: Int = 100_000, tickets: Int = 100_000) {
        self.state = Mutex(State(sessions: TokenTable(atMost: sessions), tickets: TokenTable(atMost: tickets)))
        self.anonymous = .anonymous(anonymous)
    }

    /// Sets how many credentials of one kind may fail in a row from one source before it has to wait.
    ///
    /// In each interval behind that one more may; `nil` is as many as they like.
    ///
    /// Waits that are running go on when their rule has not changed.
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
    /// or ends before them, and all that were made with tokens when a key for tokens is gone or another one.
    ///
    /// - Parameter file: The file.
    /// - Returns: A function that says whether a principal still has the rights it was given. The streams of those that have
    ///   lost them are ended.
    /// - Throws: The key that cannot be used; then all stays as it was.
    @discardableResult
    public func adopt(_ file: AccessFile) async throws(AccessError) -> @Sendable (Principal) -> Bool {
        var verifier: TokenVerifier?
        if let tokens = file.tokens { verifier = try await TokenVerifier(tokens) }
        return self.state.withLock { state in
            let policy = AccessPolicy(file, verifier, behind: state.policy)
            state.policy = policy
            state.verified.removeAll()
            state.sessions.withdraw(unless: policy.knows)
            state.tickets.withdraw(unless: policy.knows)
            return { policy.knows($0) }
        }
    }

    /// Finds out who shows something.
    ///
    /// A valid credential is accepted, however many attempts from its address have failed: only failures are slowed. So one
    /// client cannot lock out others that share its address, as all clients behind a router do. There is one exception. A
    /// token that is not in the cache may be told to retry while its source sends many tokens with forged signatures,
    /// because each of them takes long to check.
    ///
    /// - Parameters:
    ///   - credential: What they show.
    ///   - source: Where they are, for counting failed attempts.
    ///   - now: The wall clock.
    /// - Returns: Who it is, and what they may do.
    /// - Throws: Why they are not let in.
    public func principal(
        showing credential: Credential,
        from source: Source,
        at now: @autoclosure () -> Instant
    ) throws(Refusal) -> Principal {
        switch credential {
        case .none:
            return self.anonymous
        case .session(let name):
            let now = now()
            // A browser keeps sending the cookie of a session that has ended: no attempt at anything.
            return self.state.withLock { $0.sessions.principal(of: name, at: now) } ?? self.anonymous
        case .ticket(let name):
            let now = now()
            let principal = self.state.withLock { state in
                defer { state.tickets.withdraw(name) }
                return state.tickets.principal(of: name, at: now)
            }
            return try self.admit(principal, Attempt(source: source, kind: .ticket), at: now)
        case .bearer(let text):
            let now = now()
            guard text.hasPrefix(APIKey.prefix) else {
                let principal = try self.verified(text, from: source, at: now)
                return try self.admit(principal, Attempt(source: source, kind: .token), at: now)
            }
            let policy = self.state.withLock { $0.policy }
            let principal = APIKey(text).flatMap { policy.principal(showing: $0) }
            return try self.admit(principal, Attempt(source: source, kind: .key), at: now)
        }
    }

    /// Returns the caller of a valid credential, or counts a failed attempt.
    private func admit(
        _ principal: Principal?,
        _ attempt: Attempt,
        at now: Instant
    ) throws(Refusal) -> Principal {
        if let principal, principal.expires.map({ now < $0 }) ?? true { return principal }
        let level = self.state.withLock { $0.attempts?.take(from: attempt, at: now) }
        guard let level, !level.isGranted else { throw .invalid }
        throw .tooManyAttempts(wait: level.wait)
    }

    /// Opens a session for someone.
    ///
    /// - Parameters:
    ///   - principal: Who it is for.
    ///   - now: The wall clock.
    /// - Returns: Its name, a secret, and when it ends.
    /// - Throws: `full` when there are as many sessions as may be; `invalid` when the file that is in force by now does not
    ///   know them.
    public func openSession(for principal: Principal, at now: Instant) throws(Refusal) -> (name: String, end: Instant) {
        let holder = principal.ending(at: now + Self.sessionLength)
        let end = holder.expires ?? now
        let name = try self.state.withLock { state throws(Refusal) in
            guard state.policy.knows(holder) else { throw .invalid }
            return try state.sessions.issue(for: holder, until: end, at: now)
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
    /// - Throws: `full` when there are as many tickets as may be; `invalid` when the file that is in force by now does not
    ///   know them.
    public func ticket(for principal: Principal, at now: Instant) throws(Refusal) -> String {
        try self.state.withLock { state throws(Refusal) in
            guard state.policy.knows(principal) else { throw .invalid }
            return try state.tickets.issue(for: principal, until: now + Self.ticketLength, at: now)
        }
    }

    /// Who shows a token; `nil` when it is not valid.
    private func verified(_ token: String, from source: Source, at now: Instant) throws(Refusal) -> Principal? {
        guard token.utf8.count <= TokenVerifier.maximumLength else { return nil }
        let digest = SHA256.hash(data: Array(token.utf8))
        let (known, policy) = self.state.withLock { ($0.verified.principal(of: digest), $0.policy) }
        if let known { return known }
        guard let candidate = policy.verifier?.candidate(token, at: now) else { return nil }
        let level = self.state.withLock { $0.attempts == nil ? nil : $0.signatures.level(of: source, at: now) }
        if let level, !level.isGranted { throw .tooManyAttempts(wait: level.wait) }
        guard candidate.isSigned else {
            self.state.withLock { _ = $0.signatures.take(from: source, at: now) }
            return nil
        }
        let principal = candidate.principal.checked(by: policy.generation)
        self.remember(principal, of: digest)
        return principal
    }

    /// Remembers who shows a token, unless the access file was read again while it was verified.
    func remember(_ principal: Principal, of digest: SHA256.Digest) {
        self.state.withLock { state in
            guard principal.generation == state.policy.generation else { return }
            state.verified.remember(principal, of: digest)
        }
    }
}
