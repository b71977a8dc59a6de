import Testing
import ToastCore

@testable import ToastStore

@Suite struct CatalogStoreContract {
    private let german = [LanguageTag.german: Array(#"{"a":"ä"}"#.utf8)]

    @Test(arguments: Adapter.allCases)
    func `catalogs come back byte for byte`(adapter: Adapter) async throws {
        try await adapter.run { store in
            #expect(try await store.catalogs() == [:])
            let catalogs: [LanguageTag: [UInt8]] = [.german: Array(#"{"a":"ä"}"#.utf8), .english: [0, 255, 39, 34]]
            try await store.changeCatalogs(catalogs)
            #expect(try await store.catalogs() == catalogs)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a catalog is replaced and forgotten`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.changeCatalogs(self.german)
            try await store.changeCatalogs([.german: []])
            #expect(try await store.catalogs() == [.german: []])
            try await store.changeCatalogs([.german: nil, .english: nil])
            #expect(try await store.catalogs() == [:])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a closed store takes no catalogs`(adapter: Adapter) async throws {
        try await adapter.run { store in
            await store.close()
            await #expect(throws: StoreError.self) { try await store.changeCatalogs(self.german) }
        }
    }

    @Test func `catalogs survive the end of the process`() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(path: directory.file("toast.db"))
        try await store.changeCatalogs(self.german)
        await store.close()
        let again = try SQLiteStore(path: directory.file("toast.db"))
        #expect(try await again.catalogs() == self.german)
        await again.close()
    }
}
