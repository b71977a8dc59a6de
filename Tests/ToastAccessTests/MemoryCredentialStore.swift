import Synchronization
import ToastCore

/// What nodes in one process tell each other about sessions and tickets; ends with the process.
final class MemoryCredentialStore: CredentialStore {
    private struct State {
        /// Until when each ticket is remembered; when there are many, those whose time is over are removed.
        var tickets: [CredentialID: ContinuousClock.Instant] = [:]
        var ended: [CredentialID: (session: EndedSession, until: ContinuousClock.Instant)] = [:]
        var observers: [@Sendable ([EndedSession]) -> Void] = []
    }

    private let state = Mutex(State())

    /// So many entries are kept without looking for those whose time is over.
    private static let quietCount = 1024

    /// Uses a ticket up.
    func claimTicket(_ id: CredentialID, for time: Interval) async throws(StoreError) -> Bool {
        let now = ContinuousClock.now
        return self.state.withLock { state in
            if state.tickets.count >= Self.quietCount { state.tickets = state.tickets.filter { $0.value > now } }
            guard state.tickets[id].map({ $0 <= now }) ?? true else { return false }
            state.tickets[id] = now + .nanoseconds(time.nanoseconds)
            return true
        }
    }

    /// Makes known that a session has ended.
    func endSession(_ session: EndedSession, for time: Interval) async throws(StoreError) {
        let now = ContinuousClock.now
        let observers = self.state.withLock { state in
            if state.ended.count >= Self.quietCount { state.ended = state.ended.filter { $0.value.until > now } }
            state.ended[session.id] = (session, now + .nanoseconds(time.nanoseconds))
            return state.observers
        }
        for observer in observers { observer([session]) }
    }

    /// Calls an observer with all ended sessions that are remembered, and with each further one.
    func observeEndedSessions(
        _ observer: @escaping @Sendable ([EndedSession]) -> Void
    ) async throws(StoreError) {
        let now = ContinuousClock.now
        let known = self.state.withLock { state in
            state.observers.append(observer)
            return state.ended.values.filter { $0.until > now }.map(\.session)
        }
        observer(known)
    }
}
