import EventLoop
import Synchronization
package import ToastCore

/// The catalogs of a running server, shared by all loops.
///
/// Three layers, of which later ones override earlier ones key by key: the built-in texts, the files that the server
/// was started with, and the catalogs that were sent by the API. A change is stored before it is visible, and is then
/// visible to all at once: callers take ``lexicon`` anew for each decision.
package final class Catalogs: Sendable {
    /// The number of a language's texts by their origin.
    package struct Sources: Equatable, Sendable {
        package var builtIn = 0
        package var files = 0
        /// The keys of catalogs that were sent by the API; `nil` when none was sent.
        package var api: Int?
    }

    /// Why a change was not made.
    package enum ChangeError: Error, Equatable, Sendable {
        /// The limit of languages is reached; its value.
        case tooMany(Int)

        /// The current state does not meet the request's precondition.
        case changed

        /// The store failed; nothing has changed, except perhaps after ``StoreError/undecided(_:)``.
        case store(StoreError)
    }

    private struct State {
        var lexicon: Lexicon
        var files: [LanguageTag: Catalog]
        var sent: [LanguageTag: Catalog]
    }

    private let store: any CatalogStore
    package let limits: CatalogLimits
    private let state: Mutex<State>
    /// Serializes changes, so that the last change stored is the one that is visible.
    private let changing = TaskLock()
    /// The store's version of the sent catalogs at the last ``reload()``; accessed only by who holds `changing`.
    private let loadedVersion = Mutex<UInt64?>(nil)
    private let changes = Atomic(0)

    /// Catalogs with those from a store.
    ///
    /// - Throws: The store's error; `corrupt` when one of its catalogs is invalid.
    package convenience init(
        store: any CatalogStore,
        files: [LanguageTag: Catalog] = [:],
        language: LanguageTag = .english,
        limits: CatalogLimits = .standard
    ) async throws(StoreError) {
        let sent = try await Self.sent(store, limits)
        self.init(store: store, files: files, sent: sent, language: language, limits: limits)
    }

    /// The catalogs of a store; concurrent, because they may be many long documents.
    @concurrent
    private static func sent(
        _ store: any CatalogStore,
        _ limits: CatalogLimits
    ) async throws(StoreError) -> [LanguageTag: Catalog] {
        var sent: [LanguageTag: Catalog] = [:]
        for (language, document) in try await store.catalogs() {
            do throws(CatalogError) {
                sent[language] = try Catalog(json: document, limits: limits.ofKept)
            } catch {
                throw .corrupt("catalog \(language): \(error)")
            }
        }
        return sent
    }

    /// Reads the sent catalogs again if any process has changed them in the store since the last call.
    package func reload() async throws(StoreError) {
        await self.changing.lock()
        defer { self.changing.unlock() }
        // Read first: after a change in between, this version is outdated, and the next call reads again.
        let version = try await self.store.catalogsVersion()
        guard version == nil || version != self.loadedVersion.withLock({ $0 }) else { return }
        await self.adopt(sent: try await Self.sent(self.store, self.limits))
        self.loadedVersion.withLock { $0 = version }
    }

    /// Makes new catalogs visible, those of files or the sent ones; the caller holds `changing`.
    ///
    /// Concurrent, because catalogs may be long.
    @concurrent
    private func adopt(files: [LanguageTag: Catalog]? = nil, sent: [LanguageTag: Catalog]? = nil) async {
        let old = self.state.withLock { $0 }
        let (files, sent) = (files ?? old.files, sent ?? old.sent)
        let changed = [old.files, files, old.sent, sent].reduce(into: Set<LanguageTag>()) { $0.formUnion($1.keys) }
            .filter { old.files[$0] != files[$0] || old.sent[$0] != sent[$0] }
        guard !changed.isEmpty else { return }
        let lexicon = Self.lexicon(old.lexicon, files, sent, changed: changed)
        self.state.withLock { $0 = State(lexicon: lexicon, files: files, sent: sent) }
        self.changes.add(1, ordering: .releasing)
    }

    /// Catalogs whose sent ones have been read from their store.
    package init(
        store: any CatalogStore,
        files: [LanguageTag: Catalog] = [:],
        sent: [LanguageTag: Catalog],
        language: LanguageTag = .english,
        limits: CatalogLimits = .standard
    ) {
        self.store = store
        self.limits = limits
        let languages = Set(Lexicon.builtInCatalogs.keys).union(files.keys).union(sent.keys)
        let empty = Lexicon(catalogs: [:], default: language)
        let lexicon = Self.lexicon(empty, files, sent, changed: languages)
        self.state = Mutex(State(lexicon: lexicon, files: files, sent: sent))
    }

    package var lexicon: Lexicon { self.state.withLock { $0.lexicon } }

    /// The number of changes of ``lexicon``, for callers that cache it; an atomic load.
    ///
    /// A caller that reads this number first and then takes the lexicon has one that is not older than the number.
    var generation: Int { self.changes.load(ordering: .acquiring) }

    package func sources(of language: LanguageTag) -> Sources {
        let (files, sent) = self.state.withLock { ($0.files[language]?.count, $0.sent[language]?.count) }
        return Sources(builtIn: Lexicon.builtInCatalogs[language]?.count ?? 0, files: files ?? 0, api: sent)
    }

    /// All languages with a built-in catalog, a file or a sent catalog, sorted by name.
    package var languages: [LanguageTag] {
        let known = self.state.withLock { Set($0.sent.keys).union($0.files.keys) }
        return known.union(Lexicon.builtInCatalogs.keys).sorted()
    }

    /// Replaces the sent catalogs of some languages, all or none; returns when the change is stored.
    ///
    /// - Parameters:
    ///   - catalogs: The catalogs; `nil` to delete the sent one.
    ///   - isMeant: Whether the current state meets the request's precondition; no other change comes between. Called
    ///     again when another process changes the catalogs meanwhile.
    /// - Returns: The languages that had a sent catalog before.
    /// - Throws: Why nothing was changed.
    @discardableResult
    package func change(
        _ catalogs: [LanguageTag: Catalog?],
        if isMeant: () -> Bool = { true }
    ) async throws(ChangeError) -> Set<LanguageTag> {
        await self.changing.lock()
        defer { self.changing.unlock() }
        let changes = await Self.changes(catalogs)
        for _ in 0..<DocumentName.mostAttempts {
            // The version is read first: if another process changes the catalogs in between, this version is outdated,
            // and the change is tried again. It is nil when only this process changes them.
            let version = try await ChangeError.rethrowing(await self.store.catalogsVersion())
            if version != nil {
                await self.adopt(sent: try await ChangeError.rethrowing(await Self.sent(self.store, self.limits)))
            }
            guard isMeant() else { throw .changed }
            let old = self.state.withLock { $0.sent }
            let new = old.merging(catalogs.compactMapValues(\.self)) { $1 }
                .filter { catalogs[$0.key].map { $0 != nil } ?? true }
            guard new.count <= max(self.limits.languages, old.count) else { throw .tooMany(self.limits.languages) }
            let isStored = try await ChangeError.rethrowing(
                await self.store.changeCatalogs(changes, ifVersion: version)
            )
            guard isStored else { continue }
            await self.adopt(sent: new)
            return Set(old.keys)
        }
        throw .store(.unavailable("Other nodes changed the catalogs again and again."))
    }

    /// Replaces the catalogs of files; sent catalogs still override them.
    package func replaceFiles(with files: [LanguageTag: Catalog]) async {
        await self.changing.lock()
        defer { self.changing.unlock() }
        await self.adopt(files: files)
    }

    /// The changes for the store.
    ///
    /// Concurrent, because a catalog can be a document of over a mebibyte, too much to encode on a loop.
    @concurrent
    private static func changes(_ catalogs: [LanguageTag: Catalog?]) async -> [LanguageTag: [UInt8]?] {
        catalogs.mapValues { $0?.encoded }
    }

    private static func lexicon(
        _ lexicon: Lexicon,
        _ files: [LanguageTag: Catalog],
        _ sent: [LanguageTag: Catalog],
        changed: Set<LanguageTag>
    ) -> Lexicon {
        let changes = changed.map { language -> (LanguageTag, Catalog?) in
            let layers = [Lexicon.builtInCatalogs[language], files[language], sent[language]].compactMap(\.self)
            let catalog = layers.reduce(Catalog()) { $0.overlaid(with: $1) }
            // A language without texts is not offered to clients.
            return (language, catalog.isEmpty ? nil : catalog)
        }
        return lexicon.replacing(Dictionary(uniqueKeysWithValues: changes))
    }
}
