import Testing
import ToastCore

@Suite struct AppearanceTests {
    private let all: JSONObject = [
        "title": ["color": "#000000", "colorDark": "#FFFFFF", "font": ["size": 17, "weight": 700]],
        "message": ["color": "#111111", "colorDark": "#EEEEEE", "font": ["size": 15.5, "weight": 400]],
        "backgroundColor": "#FFFFFF", "backgroundColorDark": "#202020", "borderColor": "#CCCCCC80",
        "borderColorDark": "#444444", "borderWidth": 0.5,
        "elevation": ["x": -1, "y": 2.33, "blur": 6.33, "spread": -0.33, "color": "#000000", "opacity": 0.46],
        "dimming": ["color": "#102030", "colorDark": "#000000", "opacity": 0.3],
        "layout": ["inset": 16, "labelSpacing": 8, "iconSpacing": 16, "cornerRadius": 4, "iconSize": 32],
    ]

    private func effective(_ settings: JSON) throws -> JSON? {
        var writer = JSONWriter()
        writer.value(try Settings(json: settings).effective)
        return try JSON(parsing: writer.bytes)["appearance"]
    }

    @Test func everythingCanBeSet() throws {
        #expect(try self.effective(["appearance": .object(self.all)]) == .object(self.all))
        #expect(try ToastDraft(json: ["message": "m", "appearance": .object(self.all)]).appearance == self.all)
    }

    @Test func whatIsNotSetIsNotThere() throws {
        #expect(try self.effective([:]) == [:])
        #expect(try self.effective(["appearance": ["title": ["font": [:]]]]) == [:])
        #expect(try self.effective(["appearance": ["layout": ["inset": 0]]]) == ["layout": ["inset": 0]])
        #expect(try ToastDraft(json: ["message": "m", "appearance": [:]]).appearance == nil)
    }

    @Test func membersAreWrittenInOneOrder() throws {
        let sent: JSON = ["layout": ["iconSize": 1, "inset": 2], "title": ["font": ["size": 9], "color": "#000000"]]
        let written: JSONObject = [
            "title": ["color": "#000000", "font": ["size": 9]], "layout": ["inset": 2, "iconSize": 1],
        ]
        #expect(try self.effective(["appearance": sent]) == .object(written))
        #expect(try ToastDraft(json: ["message": "m", "appearance": sent]).appearance == written)
    }

    @Test func membersLieOverThePresets() throws {
        let settings = try Settings(json: [
            "preset": "ysnackbar", "appearance": ["layout": ["cornerRadius": 12], "title": ["font": ["weight": 500]]],
        ])
        let appearance = settings.effective.appearance
        #expect(appearance["layout"]?["cornerRadius"] == 12)
        #expect(appearance["layout"]?["inset"] == 16)
        #expect(appearance["title"]?["font"] == ["size": 17, "weight": 500])
        let sources = Dictionary(uniqueKeysWithValues: settings.sources.map { ($0.name, $0.source) })
        #expect(sources["appearance/layout/cornerRadius"] == .channel)
        #expect(sources["appearance/layout/inset"] == .preset)
        #expect(sources["theme"] == .server)
    }

    private static let wrong: [(String, String)] = [
        (#""dark""#, ""), (#"{"title":"bold"}"#, "/title"), (#"{"title":{"color":"red"}}"#, "/title/color"),
        (#"{"message":{"font":{"size":0}}}"#, "/message/font/size"),
        (#"{"message":{"font":{"size":"17"}}}"#, "/message/font/size"),
        (#"{"title":{"font":{"weight":1001}}}"#, "/title/font/weight"),
        (#"{"title":{"font":{"weight":"bold"}}}"#, "/title/font/weight"),
        (#"{"backgroundColor":16777215}"#, "/backgroundColor"), (#"{"borderColorDark":""}"#, "/borderColorDark"),
        (#"{"borderWidth":-1}"#, "/borderWidth"), (#"{"elevation":{"opacity":1.1}}"#, "/elevation/opacity"),
        (#"{"elevation":{"blur":-1}}"#, "/elevation/blur"), (#"{"elevation":{"x":1e6}}"#, "/elevation/x"),
        (#"{"dimming":{"opacity":2}}"#, "/dimming/opacity"), (#"{"dimming":{"color":"red"}}"#, "/dimming/color"),
        (#"{"layout":{"cornerRadius":true}}"#, "/layout/cornerRadius"), (#"{"layout":[]}"#, "/layout"),
    ]

    @Test(arguments: wrong)
    func whatIsWrongIsNamedInSettingsAndOnToasts(text: String, pointer: String) throws {
        let appearance = try JSON(parsing: Array(text.utf8))
        let settings = #expect(throws: ValidationError.self) { try Settings(json: ["appearance": appearance]) }
        #expect(settings?.issues.map(\.pointer) == ["/appearance" + pointer])
        let toast = #expect(throws: ValidationError.self) {
            try ToastDraft(json: ["message": "m", "appearance": appearance])
        }
        #expect(toast?.issues.map(\.pointer) == ["/appearance" + pointer])
    }

    @Test func whatIsUnknownIsRefusedInSettingsAndIgnoredOnToasts() throws {
        let appearance: JSON = ["glow": 1, "title": ["color": " ff0000 ", "shine": true]]
        let error = #expect(throws: ValidationError.self) { try Settings(json: ["appearance": appearance]) }
        #expect(error?.issues.map(\.pointer) == ["/appearance/glow", "/appearance/title/shine"])
        let draft = try ToastDraft(json: ["message": "m", "appearance": appearance])
        #expect(draft.appearance == ["title": ["color": "#FF0000"]])
        #expect(try ToastDraft(json: ["message": "m", "appearance": ["glow": 1]]).appearance == nil)
    }

    @Test func aPatchChangesMembersOfAToastsAppearance() throws {
        let draft = try ToastDraft(json: [
            "message": "m", "appearance": ["borderWidth": 1, "title": ["color": "#FF0000", "font": ["size": 20]]],
        ])
        let patch = try ToastPatch(json: ["appearance": ["borderWidth": .null, "title": ["color": "#00FF00"]]])
        #expect(try draft.applying(patch).appearance == ["title": ["color": "#00FF00", "font": ["size": 20]]])
        #expect(try draft.applying(try ToastPatch(json: ["appearance": .null])).appearance == nil)
    }

    @Test(arguments: [
        (#"{"borderWidth":1}"#, #"{"borderWidth":null}"#),
        (#"{"borderWidth":1}"#, #"{"borderWidth":null,"glow":1}"#),
        (#"{"title":{"font":{"size":20}}}"#, #"{"title":{"font":null}}"#),
        (#"{"title":{"font":{"size":20}}}"#, #"{"title":{"font":{"size":null}}}"#),
        (#"{"elevation":{"x":1},"layout":{"inset":2}}"#, #"{"elevation":null,"layout":{"inset":null}}"#),
    ])
    func aPatchThatRemovesTheLastMemberRemovesTheAppearance(own: String, change: String) throws {
        let (own, change) = (try JSON(parsing: Array(own.utf8)), try JSON(parsing: Array(change.utf8)))
        let draft = try ToastDraft(json: ["message": "m", "appearance": own])
        #expect(draft.appearance != nil)
        #expect(try draft.applying(try ToastPatch(json: ["appearance": change])).appearance == nil)
    }

    @Test func aToastsAppearanceStaysItsOwn() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.apply(.configure(try Settings(json: ["preset": "ysnackbar"])), at: 0)
        try stage.post("own", at: 0, with: ["appearance": ["borderWidth": 2]])
        try stage.post("none", at: 0)
        #expect(try stage.toast("own").appearance == ["borderWidth": 2])
        #expect(try stage.toast("none").appearance == nil)
    }
}
