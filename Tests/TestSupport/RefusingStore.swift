import Synchronization
package import ToastCore

/// A store that never removes a channel; from the first attempt on it replaces no document, until a test allows it.
package final class RefusingStore: StoreWrapper {
    package let wrapped: any Store
    private let refusesDocuments = Mutex(false)

    package init(_ wrapped: any Store) {
        self.wrapped = wrapped
    }

    /// Refuses to replace documents from now on, or no longer.
    package func refuseDocuments(_ refuses: Bool = true) { self.refusesDocuments.withLock { $0 = refuses } }

    package func remove(_: ChannelName, at _: Offset) async throws(StoreError) -> Offset? {
        self.refuseDocuments()
        throw .unavailable("A test refuses the removal.")
    }

    package func replaceDocument(
        _ name: DocumentName,
        expecting old: [UInt8]?,
        with new: [UInt8]
    ) async throws(StoreError) -> Bool {
        if self.refusesDocuments.withLock({ $0 }) { throw .unavailable("A test refuses the document.") }
        return try await self.wrapped.replaceDocument(name, expecting: old, with: new)
    }
}
