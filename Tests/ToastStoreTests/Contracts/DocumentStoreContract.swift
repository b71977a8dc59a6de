import Testing
import ToastCore

@testable import ToastStore

@Suite struct DocumentStoreContract {
    @Test(arguments: Adapter.allCases)
    func `a document comes back byte for byte, and is replaced`(adapter: Adapter) async throws {
        try await adapter.run { store in
            #expect(try await store.document(.settings) == nil)
            try await store.replaceDocument(.settings, with: [0, 255, 39, 34])
            #expect(try await store.document(.settings) == [0, 255, 39, 34])
            try await store.replaceDocument(.settings, with: [])
            #expect(try await store.document(.settings) == [])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a closed store takes no document`(adapter: Adapter) async throws {
        try await adapter.run { store in
            await store.close()
            await #expect(throws: StoreError.self) { try await store.replaceDocument(.settings, with: [1]) }
        }
    }

    @Test func `a document survives the end of the process`() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(path: directory.file("toast.db"))
        try await store.replaceDocument(.settings, with: [1, 2])
        await store.close()
        let again = try SQLiteStore(path: directory.file("toast.db"))
        #expect(try await again.document(.settings) == [1, 2])
        await again.close()
    }
}
