import Synchronization
import Testing
import ToastCore
import ToastStore

@testable import ToastHub

@Suite struct CatalogsTests {
    private let store = MemoryStore()

    private func catalogs(_ files: [LanguageTag: Catalog] = [:]) async throws -> Catalogs {
        try await Catalogs(store: self.store, files: files)
    }

    private func text(_ key: String, _ catalogs: Catalogs, in language: LanguageTag) -> String {
        catalogs.lexicon.text(.localized(key: key, arguments: [], default: nil), in: language)
    }

    @Test func sentTextsOverrideFilesAndFilesOverrideBuiltInTexts() async throws {
        let catalogs = try await self.catalogs([.german: Catalog(["close": .format("Datei"), "now": .format("Datei")])])
        #expect(self.text("close", catalogs, in: .german) == "Datei")
        #expect(self.text("role.error.title", catalogs, in: .german) == "Fehler")
        try await catalogs.change([.german: Catalog(["close": .format("API")])])
        #expect(self.text("close", catalogs, in: .german) == "API")
        #expect(self.text("now", catalogs, in: .german) == "Datei")
        try await catalogs.change([.german: nil])
        #expect(self.text("close", catalogs, in: .german) == "Datei")
    }

    @Test func sentCatalogsAreThereAfterARestart() async throws {
        try await self.catalogs().change([.german: Catalog(["a": .format("b")]), .english: Catalog()])
        let again = try await self.catalogs()
        #expect(self.text("a", again, in: .german) == "b")
        #expect(again.sources(of: .english).api == 0)
    }

    @Test func aReloadTakesWhatAnotherProcessHasStored() async throws {
        let (catalogs, others) = (try await self.catalogs(), try await self.catalogs())
        let generation = catalogs.generation
        try await others.change([.german: Catalog(["a": .format("b")])])
        #expect(self.text("a", catalogs, in: .german) == "a")
        try await catalogs.reload()
        #expect(self.text("a", catalogs, in: .german) == "b")
        try await others.change([.german: nil])
        try await catalogs.reload()
        #expect(self.text("a", catalogs, in: .german) == "a")
        #expect(catalogs.generation == generation + 2)
        try await catalogs.reload()
        #expect(catalogs.generation == generation + 2, "nothing has changed")
    }

    @Test func `a reload reads the catalogs only after a change`() async throws {
        let store = CountingStore()
        let catalogs = try await Catalogs(store: store)
        try await catalogs.reload()
        let reads = store.reads
        try await catalogs.reload()
        #expect(store.reads == reads)
        let german = Catalog(["a": .format("b")]).encoded
        #expect(try await store.changeCatalogs([.german: german], ifVersion: nil))
        try await catalogs.reload()
        #expect(self.text("a", catalogs, in: .german) == "b")
        #expect(store.reads == reads + 1)
    }

    @Test func aChangeThatCannotBeStoredIsNotVisible() async throws {
        let catalogs = try await self.catalogs()
        await self.store.close()
        await #expect(throws: Catalogs.ChangeError.self) {
            try await catalogs.change([.german: Catalog(["a": .format("b")])])
        }
        #expect(self.text("a", catalogs, in: .german) == "a")
    }

    @Test func theLastChangeStoredIsTheVisibleOne() async throws {
        let catalogs = try await self.catalogs()
        await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask { _ = try? await catalogs.change([.german: Catalog(["a": .format("\(number)")])]) }
            }
        }
        let again = try await self.catalogs()
        #expect(self.text("a", again, in: .german) == self.text("a", catalogs, in: .german))
    }

    @Test func aLanguageWithoutTextsIsNotOffered() async throws {
        let french = try #require(LanguageTag(rawValue: "fr"))
        let catalogs = try await self.catalogs()
        try await catalogs.change([french: Catalog()])
        #expect(catalogs.languages.contains(french))
        #expect(catalogs.lexicon.bestMatch(acceptLanguage: "fr, de;q=0.5") == .german)
    }

    @Test func aChangeIsDecidedAgainWhenAnotherProcessWasFirst() async throws {
        let store = ContestedStore(losing: 2)
        let catalogs = try await Catalogs(store: store)
        var decisions = 0
        try await catalogs.change([.german: Catalog(["a": .format("b")])]) {
            decisions += 1
            return true
        }
        #expect(decisions == 3)
        #expect(self.text("a", catalogs, in: .german) == "b")
        #expect(store.changes == 1)
    }

    @Test func aChangeThatAlwaysComesSecondIsGivenUp() async throws {
        let catalogs = try await Catalogs(store: ContestedStore(losing: .max))
        let error = await #expect(throws: Catalogs.ChangeError.self) {
            try await catalogs.change([.german: Catalog(["a": .format("b")])])
        }
        guard case .store = error else {
            Issue.record("Nothing was changed.")
            return
        }
        #expect(self.text("a", catalogs, in: .german) == "a")
    }

    @Test func aDamagedCatalogInTheStoreIsNamed() async throws {
        _ = try await self.store.changeCatalogs([.german: [0]], ifVersion: nil)
        await #expect(throws: StoreError.self) { try await self.catalogs() }
    }
}

/// A store that several processes share, and that counts how often its catalogs are read.
private final class CountingStore: CatalogStore {
    private struct State {
        var catalogs: [LanguageTag: [UInt8]] = [:]
        var version: UInt64 = 0
        var reads = 0
    }

    private let state = Mutex(State())

    var reads: Int { self.state.withLock { $0.reads } }

    func catalogs() async throws(StoreError) -> [LanguageTag: [UInt8]] {
        self.state.withLock { state in
            state.reads += 1
            return state.catalogs
        }
    }

    func catalogsVersion() async throws(StoreError) -> UInt64? { self.state.withLock { $0.version } }

    func changeCatalogs(
        _ changes: [LanguageTag: [UInt8]?],
        ifVersion _: UInt64?
    ) async throws(StoreError) -> Bool {
        self.state.withLock { state in
            for (language, document) in changes { state.catalogs[language] = document }
            state.version += 1
            return true
        }
    }
}

/// A store in which another process changes the catalogs first, some times.
private final class ContestedStore: CatalogStore {
    private struct State {
        var losses: Int
        var changes = 0
    }

    private let state: Mutex<State>

    init(losing losses: Int) {
        self.state = Mutex(State(losses: losses))
    }

    /// How many changes were made.
    var changes: Int { self.state.withLock { $0.changes } }

    func catalogs() async throws(StoreError) -> [LanguageTag: [UInt8]] { [:] }

    func catalogsVersion() async throws(StoreError) -> UInt64? { 7 }

    func changeCatalogs(_: [LanguageTag: [UInt8]?], ifVersion version: UInt64?) async throws(StoreError) -> Bool {
        self.state.withLock { state in
            guard version == 7, state.losses == 0 else {
                state.losses -= 1
                return false
            }
            state.changes += 1
            return true
        }
    }
}
