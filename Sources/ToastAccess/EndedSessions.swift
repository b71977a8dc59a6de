import ToastCore

/// The sessions of a cluster that were ended before their time was over.
///
/// Bounded. When it is full, the entries with the earliest ends are removed, and every session with such an end or an
/// earlier one counts as ended. So an ended session is never accepted again; the holders of the others open new ones.
struct EndedSessions: Sendable {
    private(set) var ends: [CredentialID: Instant] = [:]
    /// Every session that ends at this instant or earlier counts as ended.
    private var floor = Instant(nanoseconds: .min)
    private let maximumCount: Int

    init(atMost maximumCount: Int) {
        self.maximumCount = max(2, maximumCount)
    }

    /// Whether a session has ended.
    func contains(_ id: CredentialID, end: Instant) -> Bool {
        end <= self.floor || self.ends[id] != nil
    }

    /// Adds sessions; returns whether one of them was not known to have ended.
    mutating func add(_ sessions: [EndedSession]) -> Bool {
        var isNew = false
        for session in sessions where !self.contains(session.id, end: session.end) {
            if self.ends.count >= self.maximumCount { self.makeRoom() }
            self.ends[session.id] = session.end
            isNew = true
        }
        return isNew
    }

    /// Removes the quarter with the earliest ends at once, so that not every further entry costs a walk.
    ///
    /// Earliest first: many of these have expired, and to forget them ends no session.
    private mutating func makeRoom() {
        let earliest = self.ends.values.sorted()
        self.floor = earliest[earliest.count / 4]
        self.ends = self.ends.filter { $0.value > self.floor }
    }
}
