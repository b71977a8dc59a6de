import Crypto
import Synchronization
package import ToastCore

// Sessions and tickets that any node of a cluster has issued.

extension Authenticator {
    /// Uses a ticket up, in a cluster on all nodes; returns its principal.
    ///
    /// - Throws: As ``principal(showing:from:at:)``; `undecided` when the nodes cannot be asked.
    package func redeemTicket(
        _ text: String,
        from source: Source,
        at now: Instant
    ) async throws(AuthenticationError) -> Principal {
        guard let cluster else { return try self.principal(showing: .ticket(text), from: source, at: now) }
        var holder: Principal?
        if let ticket = cluster.tickets.read(text), ticket.isValid(at: now), let id = ticket.id {
            holder = self.state.withLock { $0.policy.holder(of: ticket) }
            if holder != nil, try await !cluster.claim(id) { holder = nil }
        }
        return try self.require(holder, Attempt(source: source, kind: .ticket), at: now)
    }

    /// Learns which sessions other nodes have ended, and each that they end from then on; only in a cluster.
    ///
    /// - Throws: `unavailable` when the store of the cluster does not answer: call it again.
    package func followEndedSessions() async throws(StoreError) {
        guard let cluster else { return }
        // The store may outlive the authenticator.
        try await cluster.store.observeEndedSessions { [weak self] sessions in
            guard let self, self.state.withLock({ $0.ended.add(sessions) }) else { return }
            self.endingsContinuation.yield()
        }
    }

    /// The holder of a session; nil when it has ended anywhere, or its key has fewer permissions now.
    func holder(ofSession text: String, _ cluster: ClusterCredentials, at now: Instant) -> Principal? {
        guard let session = cluster.sessions.read(text), session.isValid(at: now), let id = session.id else {
            return nil
        }
        return self.state.withLock { state in
            guard !state.ended.contains(id, end: session.end) else { return nil }
            return state.policy.holder(of: session)?.copy(session: session.digest)
        }
    }

    /// Issues a session that every node of the cluster accepts.
    func sealSession(
        for holder: Principal,
        until end: Instant,
        _ cluster: ClusterCredentials,
        at now: Instant
    ) async throws(AuthenticationError) -> String {
        let session = SealedCredential(for: holder, issued: now, until: end)
        guard let text = cluster.sessions.text(of: session) else { throw .tooManyPermissions }
        let displaced = try self.state.withLock { state throws(AuthenticationError) -> EndedSession? in
            guard state.policy.knows(holder) else { throw .invalid }
            let name = try state.sessions.issue(session.name, for: holder, until: end, at: now)
            guard let name, let id = SealedCredential.id(of: name.digest) else { return nil }
            let displaced = EndedSession(id, end: name.end)
            _ = state.ended.add([displaced])
            return displaced
        }
        guard let displaced else { return text }
        self.endingsContinuation.yield()
        // If the store does not answer, the displaced session ends on this node only, and on the others when it
        // expires. That is enough here: a newer session of the same principal displaces it, and no person has ended it.
        try? await cluster.tell(displaced, at: now)
        return text
    }
}
