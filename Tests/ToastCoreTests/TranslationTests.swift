import Testing

@testable import ToastCore

/// Events in a reader's language: only the words differ.
@Suite struct TranslationTests {
    private let lexicon = Lexicon(
        catalogs: Lexicon.builtInCatalogs.merging([
            .german: BuiltInWords.german.overlaid(
                with: Catalog(["t": .format("%2$d mal %1$@"), "open": .format("Öffnen")])
            )
        ]) { $1 },
        default: .english
    )

    private let full: JSON = [
        "role": "error", "title": ["key": "t", "arguments": ["Al", 2], "default": "%@ %d"], "message": "line\n\"two\"",
        "icon": "wifi.slash", "style": "retro", "placement": "bottom", "duration": 4.25, "haptic": "heavy",
        "actions": [
            ["id": "undo", "title": ["key": "open", "default": "Open"], "role": "destructive", "url": "/undo"],
            ["id": "no", "title": "No"],
        ],
        "progress": ["value": 0.4, "total": 1], "image": ["url": "https://a.example/x.png", "alt": "x"],
        "reuseIdentifier": "r1", "requiresInteraction": true, "dimsBackground": true,
        "appearance": ["layout": ["labelSpacing": 16]], "expiresAfter": 600,
        "data": ["n": [1, 2.5, .null], "text": "Al 2"],
    ]

    /// A history with all kinds of events: a translated envelope differs in its words only.
    private func events(_ settings: JSON = [:]) throws -> [Event] {
        var stage = try EngineScenario()
        try stage.apply(.configure(try Settings(json: settings)), at: 0)
        try stage.post(["a"], at: 0, with: try #require(self.full.object))
        let id = try #require(stage.engine.presented.first?.id)
        try stage.apply(.update(id, try ToastPatch(json: ["message": "changed"]), ifRevision: nil), at: 1)
        try stage.apply(.hold(id, holder: "ada", lease: Interval(seconds: 5)), at: 1)
        try stage.apply(.release(id, holder: "ada"), at: 2)
        try stage.apply(.act(id, action: "undo"), at: 2)
        return stage.events
    }

    private func envelope(_ event: Event, _ epoch: String = "k3f9a2zz") throws -> [UInt8] {
        let channel = try #require(ChannelName(rawValue: "ops"))
        return event.stored(channel: channel, epoch: try #require(Epoch(rawValue: epoch))).envelope
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func onlyWhatIsSaidIsOtherwise() throws {
        for event in try self.events() {
            let envelope = try self.envelope(event, "formerli")
            let translated = self.lexicon.translated(envelope: envelope, to: .german)
            guard [.enqueued, .presented, .updated].contains(event.type) else {
                #expect(translated == nil)
                continue
            }
            let expected = self.text(envelope)
                .replacing(#""default":"%@ %d","text":"Al 2""#, with: #""default":"%@ %d","text":"2 mal Al""#)
                .replacing(#""text":"Open""#, with: #""text":"Öffnen""#)
                .replacing("error, Al 2.", with: "Fehler, 2 mal Al.")
            #expect(self.text(try #require(translated)) == expected)
            // Translating an event and translating its envelope give the same bytes.
            let live = try #require(self.lexicon.translated(event, to: .german))
            #expect(try self.text(self.envelope(live, "formerli")) == expected)
        }
    }

    @Test func theRolesWordIsSpokenWhereTheChannelWantsIt() throws {
        for (wants, spoken) in [(true, "Fehler, 2 mal Al. line\n\"two\""), (false, "2 mal Al. line\n\"two\"")] {
            let announcements = try self.events(["spokenPrefix": .bool(wants)]).compactMap { event in
                self.lexicon.translated(event, to: .german)?.presentation?.announcement
            }
            #expect(announcements == [spoken])
        }
    }

    @Test func aRawToastSaysOnlyItsRoleOtherwise() throws {
        var stage = try EngineScenario()
        try stage.post(["raw"], at: 0, with: ["role": "warning"])
        let (sent, shown) = (try #require(stage.events.dropLast().last), try #require(stage.events.last))
        #expect(self.lexicon.translated(sent, to: .german) == nil)
        let translated = try #require(self.lexicon.translated(shown, to: .german))
        #expect(translated.presentation?.announcement == "Warnung, raw")
        // Nil when the words are the same.
        let french = try #require(LanguageTag(rawValue: "fr"))
        #expect(self.lexicon.translated(shown, to: french) == nil)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"type":"presented"}"#, #"{"type":"presented","cursor":"x"}"#])
    func whatIsNoEnvelopeStaysAsItIs(text: String) {
        #expect(self.lexicon.translated(envelope: Array(text.utf8), to: .german) == nil)
    }

    @Test func theStateIsInTheLanguageOfWhoAsks() throws {
        var stage = try EngineScenario()
        try stage.post(["a"], at: 0, with: try #require(self.full.object))
        stage.engine.lexicon = self.lexicon
        var own = JSONWriter()
        var other = JSONWriter()
        stage.engine.writeSnapshotFrame(to: &own, at: EngineScenario.start, isReset: false)
        stage.engine.writeSnapshotFrame(to: &other, at: EngineScenario.start, isReset: false, in: .german)
        let expected = self.text(own.bytes)
            .replacing(#""default":"%@ %d","text":"Al 2""#, with: #""default":"%@ %d","text":"2 mal Al""#)
            .replacing(#""text":"Open""#, with: #""text":"Öffnen""#)
            .replacing("error, Al 2.", with: "Fehler, 2 mal Al.")
        #expect(self.text(other.bytes) == expected)
    }
}
