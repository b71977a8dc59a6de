import Testing
import ToastCore

@Suite struct ToastDraftTests {
    @Test(arguments: [
        (#"1"#, [""]), (#"[]"#, [""]), (#"{}"#, ["/message"]), (#"{"message":null}"#, ["/message"]),
        (#"{"title":null}"#, ["/message"]), (#"{"message":""}"#, ["/message"]),
        (#"{"message":1}"#, ["/message"]), (#"{"message":[]}"#, ["/message"]),
        (#"{"message":{}}"#, ["/message/key"]),
        (#"{"message":{"key":"k","arguments":[{}]}}"#, ["/message/arguments/0"]),
        (#"{"message":{"key":"k","default":1}}"#, ["/message/default"]),
        (#"{"message":"m","title":5}"#, ["/title"]), (#"{"title":5}"#, ["/title"]),
        (#"{"message":"m","role":"fatal"}"#, ["/role"]),
        (#"{"message":"m","role":1}"#, ["/role"]), (#"{"message":"m","placement":"left"}"#, ["/placement"]),
        (#"{"message":"m","haptic":"x"}"#, ["/haptic"]), (#"{"message":"m","duration":-1}"#, ["/duration"]),
        (#"{"message":"m","duration":"forever"}"#, ["/duration"]), (#"{"message":"m","duration":1e12}"#, ["/duration"]),
        (#"{"message":"m","duration":true}"#, ["/duration"]), (#"{"message":"m","style":"../x"}"#, ["/style"]),
        (#"{"message":"m","style":"Glass"}"#, ["/style"]), (#"{"message":"m","icon":"http://a/b"}"#, ["/icon"]),
        (#"{"message":"m","icon":"https://bank.example@evil.example/x.png"}"#, ["/icon"]),
        (#"{"message":"m","image":{"url":"https://a:b@evil.example/x.png"}}"#, ["/image/url"]),
        (#"{"message":"m","actions":[{"id":"a","title":"t","url":"http://@evil.example"}]}"#, ["/actions/0/url"]),
        (#"{"message":"m","icon":"javascript:alert(1)"}"#, ["/icon"]), (#"{"message":"m","icon":"A b"}"#, ["/icon"]),
        (#"{"message":"m","actions":{}}"#, ["/actions"]), (#"{"message":"m","actions":[1]}"#, ["/actions/0"]),
        (#"{"message":"m","actions":[{}]}"#, ["/actions/0/id", "/actions/0/title"]),
        (#"{"message":"m","actions":[{"id":"a/b","title":"t"}]}"#, ["/actions/0/id"]),
        (#"{"message":"m","actions":[{"id":"..","title":"t"}]}"#, ["/actions/0/id"]),
        (#"{"message":"m","actions":[{"id":"a","title":"t"},{"id":"a","title":"t"}]}"#, ["/actions/1/id"]),
        (#"{"message":"m","actions":[{"id":"a","title":"t","role":"x"}]}"#, ["/actions/0/role"]),
        (#"{"message":"m","actions":[{"id":"a","title":"t","url":"data:x"}]}"#, ["/actions/0/url"]),
        (#"{"message":"m","actions":[1,2,3,4]}"#, ["/actions"]), (#"{"message":"m","progress":1}"#, ["/progress"]),
        (#"{"message":"m","progress":{}}"#, ["/progress/value"]),
        (#"{"message":"m","progress":{"value":1,"total":0}}"#, ["/progress/total"]),
        (#"{"message":"m","progress":{"value":1,"total":"2"}}"#, ["/progress/total"]),
        (
            #"{"message":"m","progress":{"value":"x","total":0,"dismissAfter":-1}}"#,
            ["/progress/value", "/progress/total", "/progress/dismissAfter"]
        ),
        (#"{"message":"m","image":{}}"#, ["/image/url"]),
        (#"{"message":"m","image":{"url":"//evil"}}"#, ["/image/url"]),
        (#"{"message":"m","image":{"url":"/\\evil"}}"#, ["/image/url"]),
        (#"{"message":"m","image":{"url":"/a","alt":1}}"#, ["/image/alt"]),
        (#"{"message":"m","reuseIdentifier":""}"#, ["/reuseIdentifier"]),
        (#"{"message":"m","requiresInteraction":1}"#, ["/requiresInteraction"]),
        (#"{"message":"m","dimsBackground":"yes"}"#, ["/dimsBackground"]),
        (#"{"message":"m","appearance":[]}"#, ["/appearance"]),
        (#"{"message":"m","expiresAfter":-1}"#, ["/expiresAfter"]),
        (#"{"role":"x","duration":-1,"haptic":0}"#, ["/role", "/duration", "/haptic", "/message"]),
    ])
    func namesEveryMemberThatIsWrong(text: String, pointers: [String]) throws {
        let json = try JSON(parsing: Array(text.utf8))
        let error = #expect(throws: ValidationError.self) { try ToastDraft(json: json) }
        #expect(error?.issues.map(\.pointer) == pointers)
    }

    @Test func whatWasAcceptedOnceCanBeReadAgain() throws {
        let stored = """
            {"id": "01980000-0000-7000-8000-000000000000", "channel": "ops", "createdAt": "2026-01-01T00:00:00.000Z",
             "revision": 1, "state": "queued", "message": "m", "image": {"url": "https://a:b@c.example/"},
             "icon": "https://a@c.example/i.svg"}
            """
        let toast = try Toast(json: try JSON(parsing: Array(stored.utf8)))
        #expect(toast.content.details.image?["url"] == "https://a:b@c.example/")
    }

    @Test(arguments: [
        #"{"title":"only a title"}"#, #"{"message":"m","future":{"member":1}}"#, #"{"message":"m","role":null}"#,
        #"{"message":"m","icon":"https://a.example/i.svg"}"#, #"{"message":"m","icon":"none"}"#,
        #"{"message":"m","image":{"url":"/i.png"}}"#, #"{"message":"m","image":{"url":"HTTP://h/i.png","alt":""}}"#,
        #"{"message":"m","duration":0}"#, #"{"message":"m","data":[1,null]}"#,
        #"{"message":{"key":"k","arguments":["a",1,2.5,true],"default":"%@"}}"#,
    ])
    func acceptsWhatIsRight(text: String) throws {
        let json = try JSON(parsing: Array(text.utf8))
        #expect(throws: Never.self) { try ToastDraft(json: json) }
    }

    @Test func aTextMayHave4096CodePoints() throws {
        let longest = String(repeating: "🍞", count: 4096)
        #expect(throws: Never.self) { try ToastDraft(json: ["message": .string(longest), "title": .string(longest)]) }
        let error = #expect(throws: ValidationError.self) {
            try ToastDraft(json: ["message": .string(longest + "x"), "title": "t"])
        }
        #expect(error?.issues.map(\.pointer) == ["/message"])
    }

    @Test func theListOfIssuesIsBounded() throws {
        var limits = Limits.standard
        limits.actions = 1000
        let actions = JSON.array(Array(repeating: 1, count: 1000))
        let error = #expect(throws: ValidationError.self) {
            try ToastDraft(json: ["message": "m", "actions": actions], limits: limits)
        }
        #expect(error?.issues.count == ValidationError.maximumIssues)
        #expect(error?.issues.last?.pointer == "/actions/31")
    }

    @Test(arguments: [(0.4, 1.0, 0.4), (-1, 1, 0), (7, 5, 5), (3, 5, 3)])
    func progressIsClamped(value: Double, total: Double, clamped: Double) throws {
        let progress: JSON = ["value": JSON(floatLiteral: value), "total": JSON(floatLiteral: total)]
        let draft = try ToastDraft(json: ["message": "m", "progress": progress])
        #expect(draft.details.progress == .determinate(value: clamped, total: total))
    }

    @Test func plainTextIsAMessage() throws {
        #expect(try ToastDraft(message: " Deployed \n").message == .raw("Deployed"))
        #expect(throws: ValidationError.self) { try ToastDraft(message: " \n\t ") }
        #expect(throws: ValidationError.self) { try ToastDraft(message: String(repeating: "x", count: 4097)) }
    }

    @Test(
        arguments: [
            ("%@ and %@", ["a", 2], "a and 2"), ("%2$@ %1$lld", ["a", 2.5], "2.5 a"), ("100%% %d", [3], "100% 3"),
            ("%@ %@", ["a"], "a %@"), ("50% %", ["a"], "50% %"), ("%9$@ %0$@", ["a"], "%9$@ %0$@"),
            ("ü%@é", ["ö"], "üöé"),
        ] as [(String, [JSON], String)]
    )
    func theServersTextHasItsArguments(format: String, arguments: [JSON], text: String) {
        #expect(Text.localized(key: "k", arguments: arguments, default: format).text == text)
        #expect(Text.localized(key: format, arguments: arguments, default: nil).text == text)
    }
}

@Suite struct SettingsTests {
    @Test(arguments: [
        (#"[]"#, [""]), (#"{"mod":"fifo"}"#, ["/mod"]), (#"{"mode":"lifo"}"#, ["/mode"]),
        (#"{"capacity":0}"#, ["/capacity"]),
        (#"{"capacity":10001}"#, ["/capacity"]), (#"{"capacity":1.5}"#, ["/capacity"]), (#"{"a/b":1}"#, ["/a~1b"]),
        (#"{"style":"","duration":-1,"whenUnattended":"x"}"#, ["/style", "/duration", "/whenUnattended"]),
    ])
    func namesEveryMemberThatIsWrong(text: String, pointers: [String]) throws {
        let json = try JSON(parsing: Array(text.utf8))
        let error = #expect(throws: ValidationError.self) { try Settings(json: json) }
        #expect(error?.issues.map(\.pointer) == pointers)
    }

    @Test func writesBackWhatIsSet() throws {
        let text =
            #"{"mode":"priority","style":"retro","placement":"center","duration":"indefinite","haptic":"none","#
            + #""whenUnattended":"present","capacity":10,"expiresAfter":0.5}"#
        let settings = try Settings(json: JSON(parsing: Array(text.utf8)))
        var writer = JSONWriter()
        writer.value(settings)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }

    @Test func theServersPresetFillsTheRest() throws {
        let settings = try Settings(
            json: ["preset": "ysnackbar", "animations": ["exit": ["curve": "linear"]], "pause": 1]
        )
        var exit = Animation(.linear, seconds: 0.3)
        #expect(settings.effective.animations.exit == exit)
        exit.curve = .easeOut
        #expect(try Settings(json: ["preset": "ysnackbar"]).effective.animations.exit == exit)
        #expect(settings.effective.mode == .stack)
        #expect(settings.effective.capacity == 1000)
        let sources = Dictionary(uniqueKeysWithValues: settings.sources.map { ($0.name, $0.source) })
        #expect(sources["animations/exit/curve"] == .channel)
        #expect(sources["animations/exit/duration"] == .preset)
        #expect(sources["animations/exit"] == nil)
        #expect(sources["mode"] == .preset)
        #expect(sources["pause"] == .channel)
        #expect(sources["capacity"] == .server)
        #expect(sources["expiresAfter"] == .server)
    }

    @Test(arguments: PresetName.allCases)
    func whatAPresetSetsIsValid(name: PresetName) throws {
        let preset = Preset.named(name)
        #expect(preset.name == name)
        #expect(try Settings(json: .object(preset.settings)).effective.preset == .toastd)
    }

    @Test func aPatchSetsAndUnsets() throws {
        let settings = try Settings(json: ["mode": "priority", "capacity": 5]).applying([
            "mode": .null, "style": "pale",
        ])
        #expect(settings == (try Settings(json: ["capacity": 5, "style": "pale"])))
    }
}
