/// The name of a session or a ticket among the nodes of a cluster: 32 hexadecimal digits, which give no access.
public struct CredentialID: RawRepresentable, Hashable, Sendable {
    /// The digits.
    public let rawValue: String

    /// Checks a name; `nil` when it is not 32 lower-case hexadecimal digits.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == 32, rawValue.isMade(of: Self.digits) else { return nil }
        self.rawValue = rawValue
    }

    private static let digits = ASCIISet("0123456789abcdef")
}

/// A session that was ended before its time was over.
public struct EndedSession: Hashable, Sendable {
    /// The name of the session.
    public let id: CredentialID

    /// When it would have ended by itself; it can be forgotten after that.
    public let end: Instant

    /// A session that has ended, and when it would have.
    public init(_ id: CredentialID, end: Instant) {
        self.id = id
        self.end = end
    }
}

/// What the nodes of a cluster share about sessions and tickets, which every node accepts.
public protocol CredentialStore: Sendable {
    /// Uses a ticket up; the store remembers it for a time, which is longer than any node accepts it.
    ///
    /// - Returns: Whether no node has used it up before. Of calls at the same time, on any nodes, one gets true.
    /// - Throws: `unavailable` when the store does not answer. The ticket may be used up.
    func claimTicket(_ id: CredentialID, for time: Interval) async throws(StoreError) -> Bool

    /// Makes known that a session has ended.
    ///
    /// When it returns, the store remembers it for a time, which is longer than any node accepts the session, and all
    /// nodes learn of it soon.
    ///
    /// - Throws: `unavailable` when the store does not answer: call it again.
    func endSession(_ session: EndedSession, for time: Interval) async throws(StoreError)

    /// Calls an observer with all ended sessions that are remembered, and with each further one; on any thread.
    ///
    /// Returns when it was called with those that were known. It may be called with the same session several times.
    ///
    /// - Throws: `unavailable` when the store does not answer: call it again.
    func observeEndedSessions(_ observer: @escaping @Sendable ([EndedSession]) -> Void) async throws(StoreError)
}
