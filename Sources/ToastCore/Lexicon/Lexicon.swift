/// All catalogs of a server: what its texts say in each language.
///
/// A class, because engines and readers share it. A key is looked up in this order: the requested language and its
/// fallbacks (``LanguageTag``: `de-AT`, then `de`), the default language and its fallbacks, the text that the publisher
/// sent as `default`, and the key itself. Raw texts are never looked up.
public final class Lexicon: Sendable {
    private let catalogs: [LanguageTag: Catalog]

    /// The language of events, and of readers without a matching language.
    public let defaultLanguage: LanguageTag

    /// A digest of each catalog.
    private let digests: [LanguageTag: UInt64]
    /// The catalogs of the default language and its fallbacks, the most specific first.
    private let standard: [(language: LanguageTag, catalog: Catalog)]
    /// The words of the roles in the default language: every toast that comes on screen needs them.
    private let (titles, prefixes): (ByRole<String>, ByRole<String>)

    /// The catalogs that the service contains: English and German.
    public static let builtInCatalogs: [LanguageTag: Catalog] = [
        .english: BuiltInWords.english, .german: BuiltInWords.german,
    ]

    /// The lexicon of a server without catalogs of its own; its language is English.
    public static let builtIn = Lexicon(catalogs: Lexicon.builtInCatalogs, default: .english)

    /// A lexicon of some catalogs; the built-in ones are not added.
    public convenience init(catalogs: [LanguageTag: Catalog], default language: LanguageTag) {
        self.init(catalogs, language, catalogs.mapValues(\.digest))
    }

    private init(_ catalogs: [LanguageTag: Catalog], _ language: LanguageTag, _ digests: [LanguageTag: UInt64]) {
        self.catalogs = catalogs
        self.defaultLanguage = language
        self.digests = digests
        let standard = language.fallbacks.compactMap { tag in catalogs[tag].map { (tag, $0) } }
        self.standard = standard
        let word = { key in Lexicon.word(standard.lazy.compactMap { $0.1[key] }.first, for: key) }
        self.titles = ByRole { word($0.titleKey) }
        self.prefixes = ByRole { word($0.prefixKey) }
    }

    /// The same lexicon with other catalogs for some languages; only these are digested.
    public func replacing(_ changes: [LanguageTag: Catalog?]) -> Lexicon {
        var (catalogs, digests) = (self.catalogs, self.digests)
        for (language, catalog) in changes {
            catalogs[language] = catalog
            digests[language] = catalog?.digest
        }
        return Lexicon(catalogs, self.defaultLanguage, digests)
    }

    /// The digest of a language's own catalog; `nil` when there is none.
    public func catalogDigest(of language: LanguageTag) -> UInt64? { self.digests[language] }

    /// A digest of everything that texts in a language depend on: its catalog and its fallbacks.
    public func digest(of language: LanguageTag) -> UInt64 {
        let tags = language.fallbacks + self.defaultLanguage.fallbacks
        return tags.reduce(0) { $0 &* 31 &+ (self.digests[$1] ?? 1) }
    }

    /// The texts of a language; `nil` when there are none.
    public subscript(language: LanguageTag) -> Catalog? { self.catalogs[language] }

    /// The language for a reader: the best match by RFC 4647 §3.4 for `Accept-Language`, else the default language.
    public func bestMatch(acceptLanguage: String?) -> LanguageTag {
        guard let acceptLanguage else { return self.defaultLanguage }
        return self.bestMatch(for: AcceptLanguage(acceptLanguage)) ?? self.defaultLanguage
    }

    /// The best match for a reader by RFC 4647 §3.4; `nil` for the default language, in which events are written.
    public func foreignMatch(for wanted: AcceptLanguage) -> LanguageTag? {
        let match = self.bestMatch(for: wanted)
        return match == self.defaultLanguage ? nil : match
    }

    private func bestMatch(for wanted: AcceptLanguage) -> LanguageTag? {
        wanted.bestMatch { tag in tag == self.defaultLanguage || self.catalogs[tag] != nil }
    }

    /// A text as people read it: a raw one as it is, a localized one with its arguments filled in.
    ///
    /// Without a language it is what consumers get: the stored rendering, else that of the default language.
    public func text(_ text: Text, in language: LanguageTag? = nil) -> String {
        guard case .localized(let key, let arguments, let format, let resolved) = text else { return text.text }
        if language == nil, let resolved { return resolved }
        guard let found = self.entry(key, in: language) else {
            return TextFormat.fill(format ?? key, with: arguments)
        }
        return TextFormat.fill(found.entry.format(for: arguments, in: found.language), with: arguments)
    }

    /// The automatic title of a role.
    public func title(of role: Role, in language: LanguageTag? = nil) -> String {
        language.map { self.word(role.titleKey, in: $0) } ?? self.titles[role]
    }

    /// The word that a spoken toast of a role begins with.
    public func prefix(of role: Role, in language: LanguageTag?) -> String {
        language.map { self.word(role.prefixKey, in: $0) } ?? self.prefixes[role]
    }

    /// A word of the service itself; at least in English.
    func word(_ key: String, in language: LanguageTag?) -> String {
        Self.word(self.entry(key, in: language)?.entry, for: key)
    }

    private static func word(_ entry: CatalogEntry?, for key: String) -> String {
        let entry = entry ?? BuiltInWords.english[key]
        return entry.map { TextFormat.fill($0.format(for: [], in: .english), with: []) } ?? key
    }

    /// The entry of a key, and the language in which it was found, whose plural rules apply.
    private func entry(_ key: String, in language: LanguageTag?) -> (entry: CatalogEntry, language: LanguageTag)? {
        if let language, language != self.defaultLanguage {
            for tag in language.fallbacks {
                if let entry = self.catalogs[tag]?[key] { return (entry, tag) }
            }
        }
        for (tag, catalog) in self.standard {
            if let entry = catalog[key] { return (entry, tag) }
        }
        return nil
    }
}

extension ByRole {
    fileprivate init(_ value: (Role) -> Value) {
        self.init(success: value(.success), error: value(.error), warning: value(.warning), info: value(.info))
    }
}
