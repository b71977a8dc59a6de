import NATS
package import ToastCore

// Sessions and tickets that any node of the cluster accepts: PREFIX.m.t.ID is a ticket that was used, PREFIX.m.x.ID a
// session that was ended. The server forgets both by their time to live.

extension JetStreamStore: CredentialStore {
    /// Uses a ticket up; returns true only on the node whose message is the first of the ticket's subject.
    package func claimTicket(_ id: CredentialID, for time: Interval) async throws(StoreError) -> Bool {
        let (stream, subject) = (self.subjects.metaStream, self.subjects.ticket(id))
        // Identifies this claim, so that it is recognised in the stream when its answer was lost.
        let claim = Array(self.nextCommit().utf8)
        let message = StreamMessage(
            subject: subject,
            body: claim,
            expectedLastSequence: 0,
            timeToLive: .nanoseconds(time.nanoseconds)
        )
        return try await self.read { (client) async throws(NATSError) -> Bool in
            do throws(NATSError) {
                return try await client.publish(message) > 0
            } catch  where error.isAboutSequence {
                let first = try await client.lastMessage(of: subject, in: stream)
                // The refusal can be spurious: then there is no message, and the claim is sent again.
                guard let first else { throw .timeout }
                return first.body == claim
            }
        }
    }

    package func endSession(_ session: EndedSession, for time: Interval) async throws(StoreError) {
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
    /// A subscription gets what is stored from now on. It misses what is stored while the connection is lost, or while
    /// the server at the other end has lost the other servers, which this process does not notice. So the stream's
    /// leader is asked each second for the last one.
    package func observeEndedSessions(
        _ observer: @escaping @Sendable ([EndedSession]) -> Void
    ) async throws(StoreError) {
        do throws(NATSError) {
            // The subscription ends with the connection.
            _ = try self.connection.subscribe(to: self.subjects.endedSessions) { event in
                guard case .message(let message) = event,
                    let ended = EndedSession(message.subject, message.headers)
                else { return }
                observer([ended])
            }
        } catch {
            throw StoreError(error)
        }
        let first = try await self.readEndedSessions(after: 0, observer)
        self.upkeep.start(isNeeded: true) { [weak self] in
            var last = first
            // Cancelled when the store is closed.
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                guard let self else { return }
                // If it fails, the next round reads the same again.
                last = (try? await self.readEndedSessions(after: last, observer)) ?? last
            }
        }
    }

    /// Reads the ended sessions after a sequence; returns the sequence of the last one.
    private func readEndedSessions(
        after sequence: UInt64,
        _ observer: @Sendable ([EndedSession]) -> Void
    ) async throws(StoreError) -> UInt64 {
        let (stream, subject) = (self.subjects.metaStream, self.subjects.endedSessions)
        let end = try await self.read.last(subject, in: stream)?.sequence ?? 0
        var last = sequence
        while last < end {
            let next = last + 1
            let page = try await self.read { (client) async throws(NATSError) -> [StoredMessage] in
                let messages = try await client.messages(of: subject, in: stream, from: next).messages
                // Any replica answers; one that lags behind the leader is asked again.
                if messages.isEmpty, try await client.lastMessage(of: subject, in: stream)?.sequence ?? 0 >= next {
                    throw .timeout
                }
                return messages
            }
            observer(page.compactMap { EndedSession($0.subject, $0.headers) })
            // An empty page: all messages up to `end` have expired.
            last = page.last?.sequence ?? end
        }
        return last
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
