import TestSupport
import Testing

@testable import ToastCore

@Suite struct LexiconTests {
    private let lexicon = Lexicon(
        catalogs: [
            .english: Catalog([
                "saved": .format("%@ was saved"), "files": .files, "only.english": .format("English"),
                "both": .substituted(
                    format: "%#@files@ in %#@folders@ of %@",
                    parts: [
                        "files": .make("%1$d file", "%1$d files", 0),
                        "folders": .make("%2$d folder", "%2$d folders", 1),
                    ]
                ),
            ]),
            .german: Catalog([
                "saved": .format("%@ wurde gesichert"), "files": .plural(.make("%d Datei", "%d Dateien")),
            ]),
        ],
        default: .english
    )

    @Test(arguments: ["saved", "%@", "100 %", "%d%%", "**bold**", ""])
    func aRawTextIsNeitherLookedUpNorParsed(text: String) {
        #expect(self.lexicon.text(.raw(text)) == text)
        #expect(self.lexicon.text(.raw(text), in: .german) == text)
    }

    @Test func aKeyIsLookedUpInTheReadersLanguage() throws {
        let text = Text.localized(key: "saved", arguments: ["a.txt"], default: "%@ ok")
        let austrian = try #require(LanguageTag(rawValue: "de-AT"))
        #expect(self.lexicon.text(text) == "a.txt was saved")
        #expect(self.lexicon.text(text, in: austrian) == "a.txt wurde gesichert")
    }

    @Test func whatALanguageLacksComesFromTheDefaultLanguageThenThePublisherThenTheKey() {
        #expect(
            self.lexicon.text(.localized(key: "only.english", arguments: [], default: "x"), in: .german) == "English"
        )
        #expect(self.lexicon.text(.localized(key: "no", arguments: ["a"], default: "%@!"), in: .german) == "a!")
        #expect(self.lexicon.text(.localized(key: "no %@", arguments: ["a"], default: nil), in: .german) == "no a")
    }

    @Test(arguments: [(0, "No files"), (1, "1 file"), (2, "2 files"), (1.5, "1.5 files")] as [(JSON, String)])
    func aNumberChoosesTheForm(number: JSON, text: String) {
        #expect(self.lexicon.text(.localized(key: "files", arguments: [number], default: nil)) == text)
    }

    @Test func theFormFollowsTheRulesOfTheLanguageThatItWasFoundIn() throws {
        let french = try #require(LanguageTag(rawValue: "fr"))
        let catalog = Catalog(["n": .plural(.make("%d fichier", "%d fichiers"))])
        let lexicon = Lexicon(catalogs: [french: catalog, .english: Catalog(["m": .files])], default: .english)
        #expect(lexicon.text(.localized(key: "n", arguments: [0], default: nil), in: french) == "0 fichier")
        #expect(lexicon.text(.localized(key: "m", arguments: [3], default: nil), in: french) == "3 files")
    }

    @Test func aNumberedPlaceChoosesByItsOwnArgument() {
        let forms = PluralForms.make("%1$@ sent %2$lld photo", "%1$@ sent %2$lld photos")
        let lexicon = Lexicon(catalogs: [.english: Catalog(["k": .plural(forms)])], default: .english)
        #expect(lexicon.text(.localized(key: "k", arguments: ["Ann", 1], default: nil)) == "Ann sent 1 photo")
        #expect(lexicon.text(.localized(key: "k", arguments: [1, 5], default: nil)) == "1 sent 5 photos")
        #expect(lexicon.text(.localized(key: "k", arguments: ["Ann"], default: nil)) == "Ann sent %2$lld photos")
    }

    @Test func eachPartChoosesItsOwnForm() {
        let text = Text.localized(key: "both", arguments: [1, 2, "home"], default: nil)
        #expect(self.lexicon.text(text) == "1 file in 2 folders of home")
    }

    @Test func aDraftCarriesWhatItSaysInTheDefaultLanguage() throws {
        let draft = try ToastDraft(
            json: [
                "title": ["key": "saved", "arguments": ["a"]], "message": "saved",
                "actions": [["id": "x", "title": ["key": "only.english"]]],
            ]
        )
        let resolved = self.lexicon.resolved(draft)
        #expect(resolved.title.text?.text == "a was saved")
        #expect(resolved.message == .raw("saved"))
        #expect(resolved.details.actions.first?.title.text == "English")
        #expect(resolved == draft)
    }

    @Test func whatWasSaidOnceIsNotSaidDifferentlyLater() {
        let text = Text.localized(key: "saved", arguments: ["a"], default: nil, text: "a is safe")
        var draft = ToastDraft()
        draft.message = text
        #expect(self.lexicon.resolved(draft).message?.text == "a is safe")
        #expect(self.lexicon.text(text) == "a is safe")
        #expect(self.lexicon.text(text, in: .german) == "a wurde gesichert")
    }

    @Test func theResolvedTextIsKeptInTheStoreAndIgnoredFromPublishers() throws {
        let sent: JSON = ["message": ["key": "saved", "text": "<forged>"]]
        #expect(try ToastDraft(json: sent).message?.text == "saved")

        let draft = self.lexicon.resolved(try ToastDraft(json: sent))
        let toast = Toast.make(draft)
        let stored = try Toast(json: try JSON(parsing: toast.json.bytes))
        #expect(stored.message?.text == "%@ was saved")
        #expect(stored == toast)
        #expect(stored.json == toast.json)
    }

    @Test func aReaderGetsTheTextsInTheirLanguage() throws {
        let draft = try ToastDraft(json: ["message": ["key": "files", "arguments": [2]], "title": "files"])
        let toast = Toast.make(self.lexicon.resolved(draft))
        #expect(self.lexicon.translated(toast, to: .german).message?.text == "2 Dateien")
        #expect(self.lexicon.translated(toast, to: .german).title == .custom(.raw("files")))
        #expect(self.lexicon.translated(toast, to: .english).json == toast.json)
        #expect(self.lexicon.translated(toast, to: .german).revision == toast.revision)
    }

    @Test func aFormatCannotMakeALongTextOfAShortOne() {
        let format = String(repeating: "%1$@", count: 1000)
        let text = TextFormat.fill(format, with: [.string(String(repeating: "x", count: 4096))])
        #expect(text.utf8.count <= TextFormat.maximumBytes + format.utf8.count)
    }

    @Test(
        arguments: [
            ("%.1f", [1.25], "1.3"), ("%.2f", [3], "3.00"), ("%.0f", [2.5], "3"), ("%02d:%02d", [1, 5], "01:05"),
            ("%03d", [-5], "-05"), ("%.1f", ["x"], "x"), ("%.3f", [1e300], "1e+300"), ("50% done", [1], "50% done"),
        ] as [(String, [JSON], String)]
    )
    func aPlaceMayAskForDigits(format: String, arguments: [JSON], text: String) {
        #expect(TextFormat.fill(format, with: arguments) == text)
    }
}

extension PluralForms {
    /// Forms for `one` and `other`, with a placeholder for the number.
    static func make(_ one: String, _ other: String, _ argument: Int? = nil) -> Self {
        guard let forms = Self([.one: one, .other: other], argument: argument) else {
            preconditionFailure("There is a form for other.")
        }
        return forms
    }
}

extension CatalogEntry {
    fileprivate static var files: Self {
        PluralForms([.zero: "No files", .one: "%d file", .other: "%d files"]).map(Self.plural) ?? .format("")
    }
}

extension Toast {
    /// A toast that was just enqueued.
    static func make(_ draft: ToastDraft) -> Self {
        var random = SplitMix64(seed: 1)
        guard let channel = ChannelName(rawValue: "ops") else { preconditionFailure("This is a channel's name.") }
        let content = ToastContent(draft, Settings().effective)
        return Self(
            id: ToastID(at: Instant(nanoseconds: 0), using: &random),
            channel: channel,
            content: content,
            createdAt: Instant(nanoseconds: 0)
        )
    }

    /// The toast as a document.
    var json: JSON {
        var writer = JSONWriter()
        self.write(to: &writer)
        return (try? JSON(parsing: writer.bytes)) ?? .null
    }
}
