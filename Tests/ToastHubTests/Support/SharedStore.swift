import Synchronization
import TestSupport
import ToastCore

/// A store in which another process changes documents, between a reading and a change, when a test says so.
final class SharedStore: StoreWrapper {
    let wrapped: any Store
    private let changes = Mutex<[@Sendable () async -> Void]>([])

    init(_ wrapped: any Store) {
        self.wrapped = wrapped
    }

    /// Sets what another process does before the next changes, in order.
    func precede(by changes: [@Sendable () async -> Void]) { self.changes.withLock { $0 += changes } }

    func replaceDocument(
        _ name: DocumentName,
        expecting old: [UInt8]?,
        with new: [UInt8]
    ) async throws(StoreError) -> Bool {
        await self.changes.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
        return try await self.wrapped.replaceDocument(name, expecting: old, with: new)
    }
}
