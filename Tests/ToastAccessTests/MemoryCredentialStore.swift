import Synchronization
import ToastCore

/// A credential store in memory, for nodes in one process.
///
/// It forgets nothing before the test ends.
final class MemoryCredentialStore: CredentialStore {
    private struct State {
        var tickets: Set<CredentialID> = []
        var ended: [EndedSession] = []
        var observers: [@Sendable ([EndedSession]) -> Void] = []
    }

    private let state = Mutex(State())

    /// Uses a ticket up.
    func claimTicket(_ id: CredentialID, for time: Interval) async throws(StoreError) -> Bool {
        self.state.withLock { $0.tickets.insert(id).inserted }
    }

    /// Makes known that a session has ended.
    func endSession(_ session: EndedSession, for time: Interval) async throws(StoreError) {
        let observers = self.state.withLock { state in
            state.ended.append(session)
            return state.observers
        }
        for observer in observers { observer([session]) }
    }

    /// Calls an observer with all ended sessions, and with each further one.
    func observeEndedSessions(
        _ observer: @escaping @Sendable ([EndedSession]) -> Void
    ) async throws(StoreError) {
        let known = self.state.withLock { state in
            state.observers.append(observer)
            return state.ended
        }
        observer(known)
    }
}
