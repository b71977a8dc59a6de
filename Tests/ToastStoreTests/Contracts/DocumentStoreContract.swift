import Testing
import ToastCore

@testable import ToastStore

@Suite struct DocumentStoreContract {
    @Test(arguments: Adapter.allCases)
    func `a document comes back byte for byte, and is replaced`(adapter: Adapter) async throws {
        try await adapter.run { store async throws in
            #expect(try await store.document(.settings) == nil)
            #expect(try await store.replaceDocument(.settings, expecting: nil, with: [0, 255, 39, 34]))
            #expect(try await store.document(.settings) == [0, 255, 39, 34])
            #expect(try await store.replaceDocument(.settings, expecting: [0, 255, 39, 34], with: []))
            #expect(try await store.document(.settings) == [])
        }
    }

    @Test(arguments: Adapter.allCases, DocumentName.allCases)
    func `a document that was changed meanwhile is not replaced`(adapter: Adapter, name: DocumentName) async throws {
        try await adapter.run { store async throws in
            #expect(try await !store.replaceDocument(name, expecting: [1], with: [2]))
            #expect(try await store.document(name) == nil)
            #expect(try await store.replaceDocument(name, expecting: nil, with: [1]))
            for expected: [UInt8]? in [nil, [], [2]] {
                #expect(try await !store.replaceDocument(name, expecting: expected, with: [3]))
            }
            #expect(try await store.document(name) == [1])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a closed store takes no document`(adapter: Adapter) async throws {
        try await adapter.run { store in
            await store.close()
            await #expect(throws: StoreError.self) {
                try await store.replaceDocument(.settings, expecting: nil, with: [1])
            }
        }
    }

    @Test func `a document survives the end of the process`() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(path: directory.file("toast.db"))
        #expect(try await store.replaceDocument(.settings, expecting: nil, with: [1, 2]))
        await store.close()
        let again = try SQLiteStore(path: directory.file("toast.db"))
        #expect(try await again.document(.settings) == [1, 2])
        await again.close()
    }
}
