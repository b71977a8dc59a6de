import Testing

@testable import ToastCore

/// The settings that are objects, and those that apply to members that a toast does not have.
@Suite struct LayeredSettingsTests {
    private static let wrong: [(String, [String])] = [
        (#"{"title":"role"}"#, ["/title"]), (#"{"dimsBackground":1}"#, ["/dimsBackground"]),
        (#"{"closeButton":"yes"}"#, ["/closeButton"]), (#"{"spokenPrefix":[]}"#, ["/spokenPrefix"]),
        (#"{"haptics":"none"}"#, ["/haptics"]), (#"{"haptics":{"error":"automatic"}}"#, ["/haptics/error"]),
        (#"{"haptics":{"fatal":"none"}}"#, ["/haptics/fatal"]), (#"{"layout":{"spacing":-1}}"#, ["/layout/spacing"]),
        (#"{"layout":{"inset":{"left":8,"top":-1}}}"#, ["/layout/inset/left", "/layout/inset/top"]),
        (#"{"layout":{"inset":"8"}}"#, ["/layout/inset"]), (#"{"minimumVisible":11}"#, ["/minimumVisible"]),
        (#"{"layout":{"maximumWidth":0}}"#, ["/layout/maximumWidth"]),
        (#"{"layout":{"maximumWidth":"none"}}"#, ["/layout/maximumWidth"]),
        (#"{"layout":{"maximumWidth":10001}}"#, ["/layout/maximumWidth"]),
        (#"{"align":"left"}"#, ["/align"]), (#"{"stack":"piled"}"#, ["/stack"]),
        (#"{"layout":{"width":1}}"#, ["/layout/width"]), (#"{"gestures":{"tap":"act"}}"#, ["/gestures/tap"]),
        (#"{"gestures":{"drag":{}}}"#, ["/gestures/drag"]), (#"{"gestures":{"swipe":[]}}"#, ["/gestures/swipe"]),
        (#"{"gestures":{"swipe":{"left":{}}}}"#, ["/gestures/swipe/left"]),
        (#"{"gestures":{"swipe":{"top":{"directions":"up"}}}}"#, ["/gestures/swipe/top/directions"]),
        (#"{"gestures":{"swipe":{"top":{"directions":["up","in"]}}}}"#, ["/gestures/swipe/top/directions/1"]),
        (#"{"gestures":{"swipe":{"top":{"directions":["up","up"]}}}}"#, ["/gestures/swipe/top/directions"]),
        (#"{"gestures":{"swipe":{"top":{"threshold":0}}}}"#, ["/gestures/swipe/top/threshold"]),
        (#"{"gestures":{"swipe":{"top":{"predictedThreshold":1001}}}}"#, ["/gestures/swipe/top/predictedThreshold"]),
        (#"{"gestures":{"swipe":{"top":{"velocity":1}}}}"#, ["/gestures/swipe/top/velocity"]),
        (#"{"animations":{"enter":{"duration":11},"leave":{}}}"#, ["/animations/enter/duration", "/animations/leave"]),
        (##"{"theme":{"text_color":"#000000"}}"##, ["/theme/text_color"]), (#"{"theme":[]}"#, ["/theme"]),
        (#"{"":null}"#, ["/"]), (#"{"duratoin":null,"duration":null}"#, ["/duratoin"]),
        (#"{"gestures":{"drag":null,"swipe":{"left":null}}}"#, ["/gestures/drag", "/gestures/swipe/left"]),
        (#"{"pasue":{"at":null}}"#, ["/pasue"]), (#"{"pause":11,"mdoe":null}"#, ["/pause", "/mdoe"]),
    ]

    @Test(arguments: wrong)
    func namesEveryMemberThatIsWrong(text: String, pointers: [String]) throws {
        let json = try JSON(parsing: Array(text.utf8))
        let error = #expect(throws: ValidationError.self) { try Settings(json: json) }
        #expect(error?.issues.map(\.pointer) == pointers)
    }

    @Test func membersOfObjectsAreDecidedOneByOne() throws {
        let settings = try Settings(json: [
            "preset": "inapp", "gestures": ["swipe": ["top": ["threshold": 60], "bottom": ["directions": []]]],
            "haptics": ["error": "heavy"], "layout": ["maximumWidth": 320],
        ])
        let (gestures, haptics) = (settings.effective.gestures, settings.effective.haptics)
        let swipe = gestures["swipe"]
        #expect(swipe?["top"] == ["directions": ["up"], "threshold": 60, "predictedThreshold": 200])
        #expect(swipe?["bottom"] == ["directions": [], "threshold": 40])
        #expect(swipe?["center"]?["directions"] == ["left", "right"])
        #expect(gestures["tap"] == "dismiss")
        #expect(Role.allCases.map { haptics[$0] } == [.none, .heavy, .none, .none])
        #expect(settings.effective.layout["maximumWidth"] == 320)
        #expect(settings.effective.layout["inset"]?["leading"] == 16)
        let sources = Dictionary(uniqueKeysWithValues: settings.sources.map { ($0.name, $0.source) })
        #expect(sources["gestures/swipe/top/threshold"] == .channel)
        #expect(sources["gestures/swipe/top/predictedThreshold"] == .preset)
        #expect(sources["gestures/swipe/center/directions"] == .server)
        #expect(sources["haptics/error"] == .channel)
        #expect(sources["haptics/info"] == .preset)
    }

    @Test func aWidthIsANumberOrAName() throws {
        for width in [428.5, "unlimited", "style"] as [JSON] {
            let settings = try Settings(json: ["layout": ["maximumWidth": width]])
            #expect(settings.effective.layout["maximumWidth"] == width)
        }
        #expect(Settings().effective.layout["maximumWidth"] == "style")
        let snackbar = try Settings(json: ["preset": "ysnackbar", "layout": ["maximumWidth": "style"]])
        #expect(snackbar.effective.layout["maximumWidth"] == "style")
    }

    @Test func anInsetThatIsTheSameAtAllEdgesIsANumber() throws {
        let edges: JSON = ["top": 8, "bottom": 8, "leading": 8, "trailing": 8]
        for (inset, shown) in [(edges, 8), (["top": 16], 16), ([:], 16)] as [(JSON, JSON)] {
            #expect(try Settings(json: ["layout": ["inset": inset]]).effective.layout["inset"] == shown)
        }
        // This preset has another inset at the top.
        let inapp = try Settings(json: ["preset": "inapp", "layout": ["inset": ["top": 16]]])
        #expect(inapp.effective.layout["inset"] == 16)
    }

    @Test func aToastSaysWhereItIsAlongItsEdgeOnlyIfItsPublisherDid() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.apply(.configure(try Settings(json: ["align": "end", "stack": "collapsed"])), at: 0)
        try stage.post("channel", at: 0)
        try stage.post("own", at: 0, with: ["align": "start"])
        #expect(try stage.toast("channel").align == nil)
        #expect(try stage.toast("own").align == .start)
        try stage.apply(.update(try stage.id("own"), try ToastPatch(json: ["align": .null]), ifRevision: nil), at: 1)
        #expect(try stage.toast("own").align == nil)
    }

    @Test func whatIsUnsetNeedNotBeSet() throws {
        #expect(
            try Settings().applying(["duration": .null, "gestures": ["swipe": ["top": .null]]])
                == Settings(json: ["gestures": ["swipe": [:]]])
        )
    }

    @Test func whatIsUnsetIsThePresetsAgain() throws {
        let settings = try Settings(json: [
            "preset": "inapp", "gestures": ["tap": "none", "swipe": ["top": ["threshold": 9]]],
        ])
        let patched = try settings.applying(["gestures": ["tap": .null]])
        #expect(patched.effective.gestures["tap"] == "dismiss")
        #expect(patched.effective.gestures["swipe"]?["top"]?["threshold"] == 9)
        #expect(try settings.applying(["gestures": .null]) == (try Settings(json: ["preset": "inapp"])))
    }

    @Test func theServersHapticsAreNoticeUIs() {
        let haptics = Settings().effective.haptics
        #expect(Role.allCases.map { haptics[$0] } == [.success, .error, .warning, .light])
    }

    @Test func aTitleThatNobodyNamedIsTheChannels() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post("before", at: 0)
        try stage.apply(.configure(try Settings(json: ["title": "none"])), at: 1)
        try stage.post("after", at: 1)
        try stage.post("null", at: 1, with: ["title": .null])
        try stage.post("own", at: 1, with: ["title": "T"])
        let titles = try ["before", "after", "null", "own"].map { try stage.toast($0).title }
        #expect(titles == [.automatic, ToastTitle.none, .none, .custom(.raw("T"))])
        // A patch of another member leaves the title with which the toast was published.
        try stage.apply(.update(try stage.id("before"), try ToastPatch(json: ["icon": "wifi"]), ifRevision: nil), at: 2)
        #expect(try stage.toast("before").title == .automatic)
    }

    @Test func whatDimsIsTheToastsThenTheChannels() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.apply(.configure(try Settings(json: ["dimsBackground": true])), at: 0)
        try stage.post("channel", at: 0)
        try stage.post("no", at: 0, with: ["dimsBackground": false])
        #expect(try stage.toast("channel").dimsBackground)
        #expect(try !stage.toast("no").dimsBackground)
        // A toast that does not dim stays so when it is patched, and follows the channel once the member is removed.
        let id = try stage.id("no")
        try stage.apply(.update(id, try ToastPatch(json: ["icon": "wifi"]), ifRevision: nil), at: 1)
        #expect(try !stage.toast("no").dimsBackground)
        try stage.apply(.update(id, try ToastPatch(json: ["dimsBackground": .null]), ifRevision: nil), at: 2)
        #expect(try stage.toast("no").dimsBackground)
    }

    @Test func settingsAreSmallBesideWhatTheyHold() {
        #expect(MemoryLayout<EffectiveSettings>.size <= 160)
        #expect(MemoryLayout<Settings>.size == MemoryLayout<Int>.size)
    }

    @Test func settingsWithoutMembersShareOneObject() throws {
        func object(_ settings: Settings) -> Int { unsafeBitCast(settings, to: Int.self) }
        let (empty, base) = (Settings(), Settings(over: ["style": "retro"]))
        let some = try Settings(json: ["style": "pale"])
        let unset = try some.applying(["style": .null])
        for shared in [Settings(over: [:]), try Settings(json: [:]), some.cleared, unset] {
            #expect(object(shared) == object(empty))
        }
        #expect(object(some) != object(empty))
        // A channel that was loaded under defaults has an object of its own, until it gets that of all channels.
        var stage = try EngineScenario()
        try stage.apply(.configure(try Settings(json: [:], over: ["style": "retro"])), at: 0)
        stage.engine.applyDefaults(base)
        #expect(object(stage.engine.settings) == object(base))
    }

    @Test func aToastWithoutDetailsHasNoneToBeWritten() throws {
        let content = ToastContent(try ToastDraft(message: "Deployed"), Settings().effective)
        var some = JSONWriter()
        some.object { content.writeMembers(to: &$0) }
        var all = JSONWriter()
        all.object { writer in for member in ToastMember.all { member.write(content, &writer) } }
        #expect(content.box.isEmpty)
        #expect(some.bytes == all.bytes)
        #expect(ToastMember.withoutDetails.count < ToastMember.all.count)
    }
}
