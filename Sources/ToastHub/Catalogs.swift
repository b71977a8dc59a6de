import Synchronization
public import ToastCore

/// The catalogs of a running server, shared by all loops.
///
/// Three layers, of which the later ones win key by key: what the service brings along, the files that it was started
/// with, and what was sent to it. A change is stored first and seen afterwards, by everyone at once: whoever needs texts
/// takes ``lexicon`` for each decision.
public final class Catalogs: Sendable {
    /// Where the texts of a language come from.
    public struct Sources: Equatable, Sendable {
        /// The keys that the service brings along.
        public var builtIn = 0

        /// The keys of files.
        public var files = 0

        /// The keys that were sent; `nil` when nothing was.
        public var api: Int?
    }

    /// Why a change was not made.
    public enum ChangeError: Error, Equatable, Sendable {
        /// There are as many languages as there may be; the number of them.
        case tooMany(Int)

        /// What is there is not what the change was made for.
        case changed

        /// Nothing could be stored; nothing has changed.
        case unavailable(StoreError)
    }

    private struct State {
        var lexicon: Lexicon
        var files: [LanguageTag: Catalog]
        var sent: [LanguageTag: Catalog]
    }

    private let store: (any CatalogStore)?
    private let language: LanguageTag
    /// How much a catalog may hold.
    public let limits: CatalogLimits
    private let state: Mutex<State>
    /// One change at a time, so that the last one that was stored is the one that is seen.
    private let changing = TaskLock()
    private let changes = Atomic(0)

    /// Catalogs that are kept nowhere: those of the service itself, and files.
    public convenience init(files: [LanguageTag: Catalog] = [:], language: LanguageTag = .english) {
        self.init(store: nil, files: files, sent: [:], language: language, limits: .standard)
    }

    /// Catalogs with those that a store kept.
    ///
    /// - Parameters:
    ///   - store: Where catalogs are kept that are sent.
    ///   - files: The catalogs that the server was started with.
    ///   - language: The default language.
    ///   - limits: How much a catalog may hold.
    /// - Throws: What the store says; `corrupt` when one of its catalogs is none.
    public convenience init(
        store: any CatalogStore,
        files: [LanguageTag: Catalog] = [:],
        language: LanguageTag = .english,
        limits: CatalogLimits = .standard
    ) async throws(StoreError) {
        var sent: [LanguageTag: Catalog] = [:]
        for stored in try await store.catalogs() {
            do throws(CatalogError) {
                sent[stored.language] = try Catalog(json: stored.document, limits: limits.ofKept)
            } catch {
                throw .corrupt("catalog \(stored.language): \(error)")
            }
        }
        self.init(store: store, files: files, sent: sent, language: language, limits: limits)
    }

    private init(
        store: (any CatalogStore)?,
        files: [LanguageTag: Catalog],
        sent: [LanguageTag: Catalog],
        language: LanguageTag,
        limits: CatalogLimits
    ) {
        self.store = store
        self.language = language
        self.limits = limits
        self.state = Mutex(State(lexicon: Self.lexicon(files, sent, language), files: files, sent: sent))
    }

    /// What all catalogs say at this moment.
    public var lexicon: Lexicon { self.state.withLock { $0.lexicon } }

    /// How often ``lexicon`` became another one, for whoever keeps it: to ask costs next to nothing.
    ///
    /// Whoever asks first and takes the lexicon then has one that is not older.
    var generation: Int { self.changes.load(ordering: .acquiring) }

    /// Where the texts of a language come from.
    public func sources(of language: LanguageTag) -> Sources {
        let (files, sent) = self.state.withLock { ($0.files[language]?.count, $0.sent[language]?.count) }
        return Sources(builtIn: Lexicon.builtInCatalogs[language]?.count ?? 0, files: files ?? 0, api: sent)
    }

    /// The languages that anything was brought, read or sent for, in the order of their names.
    public var languages: [LanguageTag] {
        let known = self.state.withLock { Set($0.sent.keys).union($0.files.keys) }
        return known.union(Lexicon.builtInCatalogs.keys).sorted()
    }

    /// Replaces what was sent for some languages, all or none; returns when it is stored.
    ///
    /// - Parameters:
    ///   - catalogs: The catalogs; `nil` to forget what was sent.
    ///   - isMeant: Whether the change is meant for what is there; nothing comes in between.
    /// - Returns: The languages for which something had been sent before.
    /// - Throws: Why nothing was changed.
    @discardableResult
    public func change(
        _ catalogs: [LanguageTag: Catalog?],
        if isMeant: () -> Bool = { true }
    ) async throws(ChangeError) -> Set<LanguageTag> {
        await self.changing.lock()
        defer { self.changing.unlock() }
        guard isMeant() else { throw .changed }
        let (old, files, lexicon) = self.state.withLock { ($0.sent, $0.files, $0.lexicon) }
        let new = old.merging(catalogs.compactMapValues(\.self)) { $1 }
            .filter { catalogs[$0.key].map { $0 != nil } ?? true }
        guard new.count <= max(self.limits.languages, old.count) else { throw .tooMany(self.limits.languages) }
        let changes = await Self.changes(catalogs)
        do throws(StoreError) { try await self.store?.changeCatalogs(changes) } catch { throw .unavailable(error) }
        let next = await Self.lexicon(lexicon, files, new, changed: Array(catalogs.keys))
        self.state.withLock { state in
            state.sent = new
            state.lexicon = next
        }
        self.changes.add(1, ordering: .releasing)
        return Set(old.keys)
    }

    /// Replaces the catalogs of files; what was sent still wins over them.
    public func replaceFiles(with files: [LanguageTag: Catalog]) async {
        await self.changing.lock()
        defer { self.changing.unlock() }
        let (old, sent, lexicon) = self.state.withLock { ($0.files, $0.sent, $0.lexicon) }
        let changed = Set(old.keys).union(files.keys).filter { old[$0] != files[$0] }
        let next = await Self.lexicon(lexicon, files, sent, changed: Array(changed))
        self.state.withLock { state in
            state.files = files
            state.lexicon = next
        }
        self.changes.add(1, ordering: .releasing)
    }

    /// What the store is told; a catalog is a document of a mebibyte and more, so it is not written on a loop.
    @concurrent
    private static func changes(_ catalogs: [LanguageTag: Catalog?]) async -> [CatalogChange] {
        catalogs.map { CatalogChange(language: $0.key, document: $0.value?.document) }
    }

    /// A lexicon in which some languages have changed; off the loops for the same reason.
    @concurrent
    private static func lexicon(
        _ lexicon: Lexicon,
        _ files: [LanguageTag: Catalog],
        _ sent: [LanguageTag: Catalog],
        changed: [LanguageTag]
    ) async -> Lexicon {
        let changes = changed.map { language -> (LanguageTag, Catalog?) in
            let layers = [Lexicon.builtInCatalogs[language], files[language], sent[language]].compactMap(\.self)
            let catalog = layers.reduce(Catalog()) { $0.overlaid(with: $1) }
            // A language without a text is none that a reader could be answered in.
            return (language, catalog.isEmpty ? nil : catalog)
        }
        return lexicon.replacing(Dictionary(uniqueKeysWithValues: changes))
    }

    private static func lexicon(
        _ files: [LanguageTag: Catalog],
        _ sent: [LanguageTag: Catalog],
        _ language: LanguageTag
    ) -> Lexicon {
        var catalogs = Lexicon.builtInCatalogs
        for layer in [files, sent] { catalogs.merge(layer) { $0.overlaid(with: $1) } }
        // A language without a text is none that a reader could be answered in.
        return Lexicon(catalogs: catalogs.filter { !$0.value.isEmpty }, default: language)
    }
}
