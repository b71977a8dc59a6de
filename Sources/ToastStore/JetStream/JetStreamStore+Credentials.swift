import NATS
package import ToastCore

// Sessions and tickets that any node of the cluster accepts: PREFIX.m.t.ID is a ticket that was used, PREFIX.m.x.ID a
// session that was ended. The server forgets both by their time to live.

extension JetStreamStore: CredentialStore {
    /// Uses a ticket up: the first message of its subject is that of the node that accepts it.
    package func claimTicket(_ id: CredentialID, for time: Interval) async throws(StoreError) -> Bool {
        try self.checkOpen()
        let (stream, subject) = (self.subjects.metaStream, self.subjects.ticket(id))
        // What tells this claim from another one whose answer was lost.
        let claim = Array(self.nextCommit().utf8)
        let message = StreamMessage(
            subject: subject,
            body: claim,
            expectedLastSequence: 0,
            timeToLive: .nanoseconds(time.nanoseconds)
        )
        return try await self.read { (client) async throws(NATSError) -> Bool in
            do throws(NATSError) {
                return try await client.publish(message).sequence > 0
            } catch  where error.isAboutSequence {
                let first = try await client.lastMessage(of: subject, in: stream)
                // The refusal can be spurious: then there is no message, and the claim is sent again.
                guard let first else { throw .timeout }
                return first.body == claim
            }
        }
    }

    /// Makes known that a session has ended.
    package func endSession(_ session: EndedSession, for time: Interval) async throws(StoreError) {
        try self.checkOpen()
        let message = StreamMessage(
            subject: self.subjects.endedSession(session.id),
            body: [],
            headers: [EndedSession.header: String(session.end.nanoseconds)],
            timeToLive: .nanoseconds(time.nanoseconds),
            replacesSubject: true
        )
        _ = try await self.read { (client) async throws(NATSError) in try await client.publish(message) }
    }

    /// Calls an observer with all ended sessions that are remembered, and with each further one.
    ///
    /// A subscription gets what is stored from now on. What it misses while the connection is lost is read again.
    package func observeEndedSessions(
        _ observer: @escaping @Sendable ([EndedSession]) -> Void
    ) async throws(StoreError) {
        try self.checkOpen()
        let missed = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        do throws(NATSError) {
            let subject = self.subjects.endedSessions
            // It ends with the connection.
            _ = try self.connection.subscribe(to: subject) { event in
                switch event {
                case .message(let message):
                    if let ended = EndedSession(message.subject, message.headers) { observer([ended]) }
                case .dropped: missed.continuation.yield()
                }
            }
        } catch {
            throw StoreError(error)
        }
        self.reconnections.add { missed.continuation.yield() }
        try await self.readEndedSessions(observer)
        self.upkeep.start(isNeeded: true) { [weak self] in
            for await _ in missed.stream {
                while let self, !Task.isCancelled {
                    do throws(StoreError) {
                        try await self.readEndedSessions(observer)
                        break
                    } catch {
                        // Cancelled when the store is closed.
                        try? await Task.sleep(for: LogReader.pause)
                    }
                }
            }
        }
    }

    private func readEndedSessions(_ observer: @Sendable ([EndedSession]) -> Void) async throws(StoreError) {
        try await self.scan(pagesOf: .last, of: [self.subjects.endedSessions], in: self.subjects.metaStream) { page in
            observer(page.compactMap { EndedSession($0.subject, $0.fields) })
            return true
        }
    }
}

extension EndedSession {
    /// The header field that says when the session would have ended.
    static let header = "Toastd-End"

    /// Reads a message; nil when it is none of ours.
    init?(_ subject: String, _ headers: NATSHeaders) {
        guard let id = subject.split(separator: ".").last.flatMap({ CredentialID(rawValue: String($0)) }),
            let end = headers[Self.header].flatMap({ Int64($0) })
        else { return nil }
        self.init(id, end: Instant(nanoseconds: end))
    }
}

extension Subjects {
    /// Where a ticket is used up.
    func ticket(_ id: CredentialID) -> String { "\(self.prefix).m.t.\(id.rawValue)" }

    /// Where the end of a session is made known.
    func endedSession(_ id: CredentialID) -> String { "\(self.prefix).m.x.\(id.rawValue)" }

    /// Where the ends of all sessions are made known.
    var endedSessions: String { "\(self.prefix).m.x.*" }
}
