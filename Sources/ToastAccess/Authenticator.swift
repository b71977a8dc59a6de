import Crypto
import Synchronization
package import ToastCore

/// A proof of identity that a request carries.
package enum Credential: Sendable {
    /// Nothing.
    case none
    /// An API key or a token, from `Authorization: Bearer`.
    case bearer(String)
    /// The name of a session, from a cookie.
    case session(String)
    /// A ticket for one stream, from the query.
    case ticket(String)
}

/// Why a credential is refused.
package enum AuthenticationError: Error, Equatable, Sendable {
    /// The credential is not valid, or no longer: get another one.
    case invalid

    /// Too many attempts from the same source failed: wait. The credential is invalid or was not checked.
    case tooManyAttempts(wait: Interval)

    /// There is no room for another session or ticket: wait.
    case full

    /// The permissions are too many for the length of a session or a ticket of a cluster: use a key with fewer ones.
    case tooManyPermissions

    /// The nodes of the cluster cannot be asked whether the credential is still valid: try again.
    case undecided(StoreError)
}

/// Checks credentials: one for the whole server, used by all loops.
package final class Authenticator: Sendable {
    struct State {
        var policy = AccessPolicy(after: nil)
        /// Tokens that this policy's verifier accepted, never those of an older policy.
        var verified = TokenCache(atMost: 4096)
        var sessions: TokenTable
        var tickets: TokenTable
        /// The sessions that any node of the cluster has ended.
        var ended: EndedSessions
        /// Failed attempts: 30 in a row, then one a minute (as in ntfy); nil when they are not counted.
        var attempts: Buckets<Attempt>? = Buckets(capacity: 30, interval: Interval(seconds: 60))
        /// Failed checks of signatures: 50 in a row, then ten a second.
        var signatures = Buckets<Source>(capacity: 50, interval: Interval(seconds: 0.1))
    }

    /// The key under which failed attempts are counted.
    struct Attempt: Hashable, Sendable {
        enum Kind: Sendable { case key, token, ticket }

        let source: Source
        let kind: Kind
    }

    let state: Mutex<State>
    private let anonymous: Principal
    /// What makes sessions and tickets valid on other nodes; nil without a cluster.
    let cluster: ClusterCredentials?

    /// Has an element after sessions were ended before their time.
    ///
    /// Its one reader ends the streams of callers who are no longer valid, see ``isValid(_:)``.
    package let sessionEndings: AsyncStream<Void>
    let endingsContinuation: AsyncStream<Void>.Continuation

    /// How long a session lasts, unless the credential that opened it expires sooner.
    package static let sessionLength = Interval(seconds: 12 * 3600)

    /// How long a ticket can be used.
    package static let ticketLength = Interval(seconds: 30)

    /// An authenticator without keys: accepts only requests without a credential, which have the scopes `anonymous`.
    ///
    /// - Parameters:
    ///   - anonymous: The scopes of requests without a credential.
    ///   - sessions: The most sessions; in a cluster, the most that this node issues.
    ///   - tickets: The most tickets; in a cluster tickets take no room, and there is no limit.
    ///   - cluster: What makes sessions and tickets valid on the other nodes of a cluster; nil without one. Then
    ///     ``followEndedSessions()`` must be called before requests are served.
    package init(
        anonymous: Set<Scope>,
        sessions: Int = 100_000,
        tickets: Int = 100_000,
        cluster: ClusterCredentials? = nil
    ) {
        let state = State(
            sessions: TokenTable(atMost: sessions),
            tickets: TokenTable(atMost: tickets),
            ended: EndedSessions(atMost: sessions)
        )
        self.state = Mutex(state)
        self.anonymous = .anonymous(anonymous)
        self.cluster = cluster
        // One element is enough for any number of sessions.
        (self.sessionEndings, self.endingsContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Sets how many credentials of one kind may fail in a row from one source before it must wait.
    ///
    /// After that, one more may fail in each interval; `nil` for no limit, not even on forged signatures.
    ///
    /// Running waits continue when the rule has not changed.
    package func limitAttempts(to rule: (burst: Int, interval: Interval)?) {
        self.state.withLock { state in
            guard let rule else { return state.attempts = nil }
            if let old = state.attempts, old.capacity == rule.burst, old.interval == rule.interval { return }
            state.attempts = Buckets(capacity: rule.burst, interval: rule.interval)
        }
    }

    /// Replaces the access file.
    ///
    /// Ends the sessions and tickets whose key was removed or replaced, has fewer permissions or expires before them.
    /// Ends all that were opened with tokens when a token key was removed, or when a token key, the audience or the
    /// issuer was replaced.
    ///
    /// Streams of callers who are no longer valid must be ended then, see ``isValid(_:)``. Nothing changes if a key
    /// cannot be used.
    package func adopt(_ file: AccessFile) async throws(AccessError) {
        var verifier: TokenVerifier?
        if let tokens = file.tokens { verifier = try await TokenVerifier(tokens) }
        self.state.withLock { state in
            let policy = AccessPolicy(file, verifier, after: state.policy)
            state.policy = policy
            state.verified.removeAll()
            state.sessions.withdraw(unless: policy.knows)
            state.tickets.withdraw(unless: policy.knows)
        }
    }

    /// Whether a principal that was found earlier still has its permissions; its expiry is not looked at.
    package func isValid(_ principal: Principal) -> Bool {
        self.state.withLock { state in
            guard state.policy.knows(principal) else { return false }
            guard let session = principal.session else { return true }
            guard self.cluster != nil else { return state.sessions.contains(session) }
            guard let id = SealedCredential.id(of: session), let end = principal.expires else { return false }
            return !state.ended.contains(id, end: end)
        }
    }

    /// Finds the principal of a credential.
    ///
    /// A valid credential is accepted, however many attempts from its address have failed: only failures are slowed. So
    /// one client cannot lock out others that share its address, as clients behind a router do. There is one exception:
    /// a token that is not in the cache is refused while its source sends many tokens with forged signatures, because
    /// each of them takes long to check.
    ///
    /// Failed attempts are counted for each `source` and kind of credential.
    package func principal(
        showing credential: Credential,
        from source: Source,
        at now: @autoclosure () -> Instant
    ) throws(AuthenticationError) -> Principal {
        switch credential {
        case .none:
            return self.anonymous
        case .session(let name):
            let now = now()
            // A browser keeps sending the cookie of a session that has ended, so this is not counted as an attempt.
            if let cluster { return self.holder(ofSession: name, cluster, at: now) ?? self.anonymous }
            return self.state.withLock { $0.sessions.principal(of: name, at: now) } ?? self.anonymous
        case .ticket(let name):
            let now = now()
            // In a cluster this table is empty, so every ticket is refused here: all nodes must be asked, see
            // `redeemTicket(_:from:at:)`.
            let principal = self.state.withLock { state in
                defer { _ = state.tickets.withdraw(name) }
                return state.tickets.principal(of: name, at: now)
            }
            return try self.require(principal, Attempt(source: source, kind: .ticket), at: now)
        case .bearer(let text):
            let now = now()
            guard text.hasPrefix(APIKey.prefix) else {
                let principal = try self.verified(text, from: source, at: now)
                return try self.require(principal, Attempt(source: source, kind: .token), at: now)
            }
            let policy = self.state.withLock { $0.policy }
            let principal = APIKey(text).flatMap { policy.principal(showing: $0) }
            return try self.require(principal, Attempt(source: source, kind: .key), at: now)
        }
    }

    /// Returns the principal of a valid credential, or counts a failed attempt.
    func require(
        _ principal: Principal?,
        _ attempt: Attempt,
        at now: Instant
    ) throws(AuthenticationError) -> Principal {
        if let principal, principal.expires.map({ now < $0 }) ?? true { return principal }
        let level = self.state.withLock { $0.attempts?.take(from: attempt, at: now) }
        guard let level, !level.isGranted else { throw .invalid }
        throw .tooManyAttempts(wait: level.wait)
    }

    /// The name that people gave the key of a principal; `nil` for other principals.
    package func keyName(of principal: Principal) -> String? {
        self.state.withLock { $0.policy }.keyName(of: principal)
    }

    /// Opens a session; returns its name, which is a secret, and when it ends.
    ///
    /// Throws `full` if there are too many sessions, `tooManyPermissions` only in a cluster, and `invalid` if the
    /// access file was replaced and no longer has the principal.
    package func openSession(
        for principal: Principal,
        at now: Instant
    ) async throws(AuthenticationError) -> (name: String, end: Instant) {
        let holder = principal.ending(at: now + Self.sessionLength)
        let end = holder.expires ?? now
        if let cluster { return (try await self.sealSession(for: holder, until: end, cluster, at: now), end) }
        let name = APIKey.randomBytes(32).hexadecimal
        let displaced = try self.state.withLock { state throws(AuthenticationError) in
            guard state.policy.knows(holder) else { throw .invalid }
            let holder = holder.copy(session: TokenTable.digest(name))
            return try state.sessions.issue(name, for: holder, until: end, at: now)
        }
        if displaced != nil { self.endingsContinuation.yield() }
        return (name, end)
    }

    /// Ends a session, in a cluster on all nodes; nothing happens when there is none.
    ///
    /// - Throws: `undecided` when the nodes cannot be told; the session has ended on this one.
    package func closeSession(_ name: String, at now: Instant) async throws(AuthenticationError) {
        guard let cluster else {
            if self.state.withLock({ $0.sessions.withdraw(name) }) { self.endingsContinuation.yield() }
            return
        }
        guard let session = cluster.sessions.read(name), now < session.end + ClusterCredentials.leeway,
            let id = session.id
        else { return }
        let ended = EndedSession(id, end: session.end)
        let isNew = self.state.withLock { state in
            _ = state.sessions.withdraw(session.name)
            return state.ended.add([ended])
        }
        if isNew { self.endingsContinuation.yield() }
        try await cluster.tell(ended, at: now)
    }

    /// Issues a ticket, which is a secret and opens one stream with the permissions of a principal.
    ///
    /// Throws `full` if there are too many tickets, `tooManyPermissions` only in a cluster, and `invalid` if the access
    /// file was replaced and no longer has the principal.
    package func issueTicket(for principal: Principal, at now: Instant) throws(AuthenticationError) -> String {
        let end = now + Self.ticketLength
        guard let cluster else {
            return try self.state.withLock { state throws(AuthenticationError) in
                guard state.policy.knows(principal) else { throw .invalid }
                return try state.tickets.issue(for: principal, until: end, at: now)
            }
        }
        guard self.state.withLock({ $0.policy.knows(principal) }) else { throw .invalid }
        let ticket = SealedCredential(for: principal, issued: now, until: end)
        guard let text = cluster.tickets.text(of: ticket) else { throw .tooManyPermissions }
        return text
    }

    /// The principal of a token; `nil` when it is invalid.
    private func verified(
        _ token: String,
        from source: Source,
        at now: Instant
    ) throws(AuthenticationError) -> Principal? {
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
        let principal = candidate.principal.copy(generation: policy.generation)
        self.remember(principal, of: digest)
        return principal
    }

    /// Caches the principal of a token, unless the access file was replaced during the check.
    func remember(_ principal: Principal, of digest: SHA256.Digest) {
        self.state.withLock { state in
            guard principal.generation == state.policy.generation else { return }
            state.verified.remember(principal, of: digest)
        }
    }
}
