import Testing
import ToastCore

@testable import ToastStore

@Suite struct CatalogStoreContract {
    private let german = StoredCatalog(language: .german, document: Array(#"{"a":"ä"}"#.utf8))
    private let english = StoredCatalog(language: .english, document: [0, 255, 39, 34])

    private func change(_ catalog: StoredCatalog) -> CatalogChange {
        CatalogChange(language: catalog.language, document: catalog.document)
    }

    @Test(arguments: Adapter.allCases)
    func `catalogs come back byte for byte, in the order of their languages`(adapter: Adapter) async throws {
        try await adapter.run { store in
            #expect(try await store.catalogs() == [])
            try await store.changeCatalogs([self.change(self.english), self.change(self.german)])
            #expect(try await store.catalogs() == [self.german, self.english])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a catalog is replaced and forgotten`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.changeCatalogs([self.change(self.german)])
            let other = StoredCatalog(language: .german, document: [])
            try await store.changeCatalogs([self.change(other)])
            #expect(try await store.catalogs() == [other])
            try await store.changeCatalogs([
                CatalogChange(language: .german, document: nil), CatalogChange(language: .english, document: nil),
            ])
            #expect(try await store.catalogs() == [])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a closed store takes no catalogs`(adapter: Adapter) async throws {
        try await adapter.run { store in
            await store.close()
            await #expect(throws: StoreError.self) { try await store.changeCatalogs([self.change(self.german)]) }
        }
    }

    @Test func `catalogs survive the end of the process`() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(path: directory.file("toast.db"))
        try await store.changeCatalogs([self.change(self.german)])
        await store.close()
        let again = try SQLiteStore(path: directory.file("toast.db"))
        #expect(try await again.catalogs() == [self.german])
        await again.close()
    }
}
