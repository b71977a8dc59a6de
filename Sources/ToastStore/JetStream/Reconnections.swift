import NATS
import Synchronization

/// What to call when the connection is there again: what was published meanwhile has not arrived.
final class Reconnections: Sendable {
    private let observers = Mutex<[@Sendable () -> Void]>([])

    /// Calls an observer after each loss of the connection, when it is there again; on any thread.
    func add(_ observer: @escaping @Sendable () -> Void) {
        self.observers.withLock { $0.append(observer) }
    }

    /// Notes what happened to the connection.
    func note(_ event: ConnectionEvent) {
        guard case .connected = event else { return }
        for observer in self.observers.withLock(\.self) { observer() }
    }
}
