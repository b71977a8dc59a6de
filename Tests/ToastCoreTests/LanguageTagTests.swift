import Testing

@testable import ToastCore

@Suite struct LanguageTagTests {
    @Test(
        arguments: [
            ("EN", "en"), ("pt-br", "pt-BR"), ("ZH-hANT-tw", "zh-Hant-TW"), ("de-CH-1996", "de-CH-1996"),
            ("es-419", "es-419"), ("fil", "fil"), ("en-x-Ab-Cdef", "en-x-ab-cdef"),
            ("sl-Rozaj-BISKE", "sl-rozaj-biske"),
        ]
    )
    func aTagHasOneForm(text: String, tag: String) {
        #expect(LanguageTag(rawValue: text)?.rawValue == tag)
    }

    @Test(
        arguments: [
            "", "e", "engl", "12", "en_US", "en-", "-en", "en--US", "en-x", "en-abcdefghi", "dé", "*", "x-private",
            "en US",
            "en-" + String(repeating: "abcdefgh-", count: 4) + "a1", "../en", "en.json",
        ]
    )
    func whatIsNoTagIsRefused(text: String) {
        #expect(LanguageTag(rawValue: text) == nil)
    }

    @Test(
        arguments: [
            ("de", "de"), ("de-CH-1996", "de-CH-1996 de-CH de"), ("en-a-bbb-x-a", ""),
            ("en-a-bbb-x-ccc", "en-a-bbb-x-ccc en-a-bbb en"),
            ("zh-TW", "zh-TW zh-Hant zh"), ("zh-CN", "zh-CN zh zh-Hans"), ("zh-Hant-HK", "zh-Hant-HK zh-Hant zh"),
            ("zh", "zh zh-Hans"), ("nb-NO", "nb-NO nb no"), ("iw", "iw he"),
        ]
    )
    func aTagIsShortenedFromItsEnd(text: String, fallbacks: String) {
        let tags = LanguageTag(rawValue: text)?.fallbacks.map(\.rawValue) ?? []
        #expect(tags == fallbacks.split(separator: " ").map(String.init))
    }
}

@Suite struct AcceptLanguageTests {
    private let lexicon = Lexicon(
        catalogs: Dictionary(
            uniqueKeysWithValues: ["en", "de", "pt-BR", "zh-Hant", "fr"].compactMap { LanguageTag(rawValue: $0) }
                .map { ($0, Catalog()) }
        ),
        default: .english
    )

    @Test(
        arguments: [
            ("de", "de"), ("DE-at", "de"), ("de-AT,en;q=0.5", "de"), ("es, fr;q=0.8, de;q=0.9", "de"),
            ("da, en-gb;q=0.8, en;q=0.7", "en"), ("fr;q=0.5,de;q=0.5", "fr"), ("es", "en"), ("", "en"), ("*", "en"),
            ("*, de;q=0.1", "de"), ("es, *;q=0.5", "en"), ("de;q=0", "en"), ("de-AT, de;q=0, fr;q=0.1", "fr"),
            ("de ; q=0.2 , fr;q=0.3", "fr"), ("de;Q=1.000", "de"), ("zh-TW", "zh-Hant"), ("pt", "en"),
            ("pt-BR", "pt-BR"),
            ("de-*-DE", "de"), ("de;q=1.5, fr;q=0.1", "fr"), ("de;q=x", "en"), ("de;q=0.1234", "en"), (";;,,=", "en"),
            ("en;q=0", "en"),
        ]
    )
    func theBestLanguageThatThereIsIsChosen(field: String, language: String) {
        #expect(self.lexicon.bestMatch(acceptLanguage: field).rawValue == language)
    }

    @Test func withoutTheFieldItIsTheDefaultLanguage() {
        #expect(self.lexicon.bestMatch(acceptLanguage: nil) == .english)
    }

    @Test func aLongFieldIsNotReadToItsEnd() {
        let field = String(repeating: "xx,", count: AcceptLanguage.maximumRanges) + "de"
        #expect(self.lexicon.bestMatch(acceptLanguage: field) == .english)
    }
}
