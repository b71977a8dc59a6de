import Testing

@testable import ToastCore

@Suite struct AnnouncementTests {
    private func spoken(
        _ role: Role = .error,
        _ title: ToastTitle,
        _ message: Text?,
        hasPrefix: Bool = true,
        in language: LanguageTag? = nil
    ) -> String {
        let content = self.content(role, title, message)
        return Lexicon.builtIn.announcement(of: content, hasPrefix: hasPrefix, in: language)
    }

    private func content(_ role: Role, _ title: ToastTitle, _ message: Text?) -> ToastContent {
        var draft = ToastDraft()
        (draft.role, draft.title, draft.message) = (role, title, message)
        return ToastContent(draft, Settings().effective)
    }

    @Test(
        arguments: [
            (Role.success, "success, Saved"), (.error, "error, Saved"), (.warning, "warning, Saved"),
            (.info, "information, Saved"),
        ]
    )
    func aRoleIsSpokenFirst(role: Role, text: String) {
        #expect(self.spoken(role, .automatic, .raw("Saved")) == text)
    }

    @Test(
        arguments: [
            (Role.success, "Erfolg, Gesichert"), (.error, "Fehler, Gesichert"), (.warning, "Warnung, Gesichert"),
            (.info, "Information, Gesichert"),
        ]
    )
    func aRoleIsSpokenInTheLanguageOfTheText(role: Role, text: String) {
        #expect(self.spoken(role, .none, .raw("Gesichert"), in: .german) == text)
    }

    @Test("The title is spoken (NoticeUI bug 8)")
    func theTitleIsSpoken() {
        #expect(self.spoken(.error, .custom(.raw("Upload")), .raw("Disk full")) == "error, Upload. Disk full")
        #expect(self.spoken(.error, .custom(.raw("Upload")), nil) == "error, Upload")
    }

    @Test("Nothing stands in front of a toast without a title (Y-Snackbar bug 37)")
    func noBlankIsLeftBehindByWhatIsMissing() {
        #expect(self.spoken(.error, .none, .raw("Disk full"), hasPrefix: false) == "Disk full")
        #expect(self.spoken(.error, .none, .raw(" Disk full\n")) == "error, Disk full")
        #expect(self.spoken(.error, .custom(.raw(" ")), .raw("Disk full")) == "error, Disk full")
        #expect(self.spoken(.error, .none, nil, hasPrefix: false) == "")
    }

    @Test("The role's own title is spoken as it is shown (NoticeUI bug 8)")
    func theRolesOwnTitleIsSpokenAsItIsShown() {
        for role in Role.allCases {
            let title = Lexicon.builtIn.title(of: role)
            #expect(self.spoken(role, .automatic, .raw("x"), hasPrefix: false) == "\(title). x")
        }
        #expect(Role.allCases.map { Lexicon.builtIn.title(of: $0) } == ["Success", "Error", "Warning", "Info"])
        #expect(
            Role.allCases.map { Lexicon.builtIn.title(of: $0, in: .german) } == ["Erfolg", "Fehler", "Warnung", "Info"]
        )
    }

    @Test(arguments: [("Done.", "Done. x"), ("Done!", "Done! x"), ("Really?", "Really? x"), ("完了。", "完了。 x")])
    func aSentenceIsNotEndedTwice(title: String, text: String) {
        #expect(self.spoken(.info, .custom(.raw(title)), .raw("x"), hasPrefix: false) == text)
    }

    @Test("A localized text is spoken as plain text (NoticeUI bug 6)")
    func aLocalizedTextIsSpokenAsPlainText() {
        let message = Text.localized(key: "deploy.done", arguments: ["api", 3], default: "%@ is live, %d times")
        #expect(self.spoken(.success, .none, message) == "success, api is live, 3 times")
    }

    @Test("A raw text is spoken as it stands (NoticeUI bug 7)")
    func aRawTextIsSpokenAsItStands() {
        #expect(
            self.spoken(.info, .custom(.raw("role.error.title")), .raw("%@ **x**"))
                == "information, role.error.title. %@ **x**"
        )
    }

    @Test func aCatalogMayNameTheRolesAnew() {
        let words = Catalog(["role.error.title": .format("Panne"), "role.error.prefix": .format("")])
        let lexicon = Lexicon(catalogs: [.german: words], default: .german)
        #expect(lexicon.announcement(of: self.content(.error, .automatic, .raw("x"))) == "Panne. x")
        #expect(lexicon.announcement(of: self.content(.info, .automatic, .raw("x"))) == "information, x")
    }

    @Test func theRolesHaveTheSameKeysInEachLanguage() {
        let catalogs = Lexicon.builtInCatalogs.values
        #expect(Set(catalogs.map(\.keys)).count == 1)
        for role in Role.allCases {
            #expect(catalogs.allSatisfy { $0[role.titleKey] != nil && $0[role.prefixKey] != nil })
        }
    }
}
