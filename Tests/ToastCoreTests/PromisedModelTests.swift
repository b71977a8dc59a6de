import Testing
import ToastCore

/// `minimumVisible`: in a fast stream, toasts stay long enough to be read.
@Suite struct MinimumVisibleTests {
    @Test func `a fast stream shows each toast for as long as the setting says`() throws {
        var stage = try EngineScenario(["mode": "replaceAll"])
        for step in 0..<60 { try stage.post("t\(step)", duration: 60, at: Double(step) / 20) }
        try stage.run(until: 10)
        let times = stage.events.compactMap { event -> (Instant, isShown: Bool)? in
            switch event.kind {
            case .presented: (event.at, true)
            case .dismissed(_, _, _, let exit, _) where exit > .zero: (event.at, false)
            default: nil
            }
        }
        #expect(times.map(\.isShown).prefix(4) == [true, false, true, false])
        let spans = zip(times, times.dropFirst()).filter(\.0.isShown).map { $1.0 - $0.0 }
        #expect(spans.count >= 3)
        #expect(spans.allSatisfy { $0 == Interval(seconds: 0.5) })
        #expect(stage.order.first == "t0")
        #expect(stage.screen == ["t59"])
    }

    @Test func `a toast that was on screen long enough is replaced at once, another one later`() throws {
        var stage = try EngineScenario(["mode": "replaceAll", "minimumVisible": 1])
        try stage.post("a", duration: 60, at: 0)
        try stage.post("b", duration: 60, at: 3)
        #expect(stage.shown.last == "3 dismissed a replaced exit 0.35")
        try stage.post("c", duration: 60, at: 3.5)
        try stage.run(until: 20)
        #expect(
            stage.shown.suffix(3) == [
                "3.35 presented b for 60", "4.35 dismissed b replaced exit 0.35", "4.7 presented c for 60",
            ]
        )
    }

    @Test func `a late tick replaces a toast at the time when that was due`() throws {
        var stage = try EngineScenario(["mode": "replaceAll"])
        try stage.post("a", duration: 60, at: 0)
        try stage.post("b", duration: 60, at: 0.1)
        try stage.tickLate(at: 9)
        #expect(stage.shown == ["0 presented a for 60", "0.5 dismissed a replaced exit 0.35", "9 presented b for 60"])
    }

    @Test func `when the newest toast is dismissed before its turn, the shown one stays`() throws {
        var stage = try EngineScenario(["mode": "replaceAll"])
        try stage.post("a", duration: 60, at: 0)
        try stage.post("b", duration: 60, at: 0.1)
        try stage.apply(.dismiss(try stage.id("b"), .api), at: 0.2)
        try stage.run(until: 30)
        #expect(stage.screen == ["a"])
    }

    @Test func `the five systems replace at once`() throws {
        for preset in PresetName.allCases where preset != .toastd {
            #expect(try Settings(json: ["preset": .string(preset.rawValue)]).effective.minimumVisible == .zero)
        }
        var stage = try EngineScenario(["preset": "noticeui", "mode": "replaceAll"])
        try stage.post("a", duration: 60, at: 0)
        try stage.post("b", duration: 60, at: 0.1)
        #expect(stage.shown.last == "0.1 dismissed a replaced exit 0.35")
    }
}

/// Actions that leave their toast on screen.
@Suite struct LastingActionTests {
    private var stage: EngineScenario

    init() throws {
        self.stage = try EngineScenario()
        let actions: JSON = [
            ["id": "more", "title": "More", "dismisses": false],
            ["id": "deploy", "title": "Deploy", "dismisses": "whenDone"],
            ["id": "no", "title": "No", "dismisses": true],
        ]
        try self.stage.post("a", duration: 4, at: 0, with: ["actions": actions, "data": 7])
    }

    private mutating func press(_ action: String, at seconds: Double) throws {
        try self.stage.apply(.act(try self.stage.id("a"), action: action), at: seconds)
    }

    private mutating func patch(_ patch: JSON, at seconds: Double) throws {
        try self.stage.apply(
            .update(try self.stage.id("a"), try ToastPatch(json: patch), ifRevision: nil),
            at: seconds
        )
    }

    private var pending: [Bool] {
        get throws { try self.stage.toast("a").actions.map(\.isPending) }
    }

    @Test mutating func `an action that does not dismiss can be pressed again and again`() throws {
        try self.press("more", at: 1)
        try self.press("more", at: 2)
        #expect(self.stage.timeline.suffix(2) == ["1 acted a more", "2 acted a more"])
        try self.stage.run(until: 9)
        #expect(self.stage.shown.last == "4 dismissed a timeout exit 0.35")
        #expect(try self.stage.toast("a").action == nil)
    }

    @Test mutating func `an action whose work goes on keeps its toast and is pressed once`() throws {
        try self.press("deploy", at: 1)
        try self.press("deploy", at: 2)
        #expect(self.stage.timeline.suffix(2) == ["1 acted a deploy", "1 updated a actions"])
        #expect(try self.pending == [false, true, false])
        try self.stage.run(until: 999)
        #expect(self.stage.screen == ["a"])
        try self.stage.apply(.dismiss(try self.stage.id("a"), .api), at: 1000)
        #expect(self.stage.shown.last == "1000 dismissed a api exit 0.35")
    }

    @Test mutating func `the backend's patch ends the work, and the time begins anew`() throws {
        try self.press("deploy", at: 1)
        try self.patch(["message": "It failed"], at: 60)
        #expect(self.stage.timeline.last == "60 updated a message,actions for 4")
        #expect(try self.pending == [false, false, false])
        try self.press("deploy", at: 61)
        #expect(self.stage.timeline.suffix(2) == ["61 acted a deploy", "61 updated a actions"])
    }

    @Test mutating func `neither progress nor a patch with a pending action ends the work`() throws {
        try self.patch(["progress": ["value": 0]], at: 0.5)
        try self.press("deploy", at: 1)
        try self.patch(["progress": ["value": 0.5]], at: 2)
        #expect(try self.pending == [false, true, false])
        let actions: JSON = [["id": "deploy", "title": "Deploying", "dismisses": "whenDone", "pending": true]]
        try self.patch(["message": "Half", "actions": actions], at: 3)
        #expect(try self.pending == [true])
        try self.stage.run(until: 99)
        #expect(self.stage.screen == ["a"])
    }

    @Test mutating func `another action of a pending toast can be pressed`() throws {
        try self.press("deploy", at: 1)
        try self.press("no", at: 2)
        #expect(self.stage.timeline.suffix(2) == ["2 acted a no", "2 dismissed a action exit 0.35"])
        #expect(try self.stage.toast("a").action == "no")
    }

    private static let wrong: [(JSON, String)] = [
        ("later", "/actions/0/dismisses"), (1, "/actions/0/dismisses"), ([], "/actions/0/dismisses"),
    ]

    @Test(arguments: wrong)
    func `other values of dismisses are refused`(dismisses: JSON, pointer: String) throws {
        let action: JSON = ["id": "a", "title": "A", "dismisses": dismisses]
        let error = #expect(throws: ValidationError.self) {
            try ToastDraft(json: ["message": "m", "actions": [action]])
        }
        #expect(error?.issues.map(\.pointer) == [pointer])
    }

    @Test func `only an action that dismisses when done can be pending`() throws {
        let action: JSON = ["id": "a", "title": "A", "pending": true]
        let error = #expect(throws: ValidationError.self) {
            try ToastDraft(json: ["message": "m", "actions": [action]])
        }
        #expect(error?.issues.map(\.pointer) == ["/actions/0/pending"])
    }

    @Test func `a localized title keeps what its action does`() throws {
        let action: JSON = [
            "id": "a", "title": ["key": "go", "default": "Go"], "dismisses": "whenDone", "pending": true,
        ]
        let draft = try ToastDraft(json: ["message": "m", "actions": [action]])
        let resolved = Lexicon.builtIn.resolved(draft)
        #expect(resolved.details.actions.map(\.dismissal) == [.whenDone])
        #expect(resolved.details.actions.map(\.isPending) == [true])
    }
}

/// Removal by text and placement, paths as icons, automatic titles.
@Suite struct PromisedMemberTests {
    @Test func `toasts are removed by title, message and placement`() throws {
        var stage = try EngineScenario(isAttached: false)
        let members: [(String, JSONObject)] = [
            ("a", ["title": "T"]), ("b", ["title": "T", "placement": "bottom"]), ("c", ["placement": "bottom"]),
            ("d", ["message": ["key": "d", "default": "Said"]]),
        ]
        for (name, members) in members { try stage.post(name, at: 0, with: members) }
        try stage.apply(.dismissAll(ToastFilter(title: "T", placement: .bottom)), at: 1)
        #expect(stage.queue == ["a", "c", "d"])
        try stage.apply(.dismissAll(ToastFilter(message: "Said")), at: 1)
        #expect(stage.queue == ["a", "c"])
        try stage.apply(.dismissAll(ToastFilter(title: "T", message: "other")), at: 1)
        #expect(stage.queue == ["a", "c"])
        try stage.apply(.dismissAll(ToastFilter(placement: .bottom)), at: 1)
        #expect(stage.queue == ["a"])
        #expect(stage.shown.last == "1 dismissed c api")
    }

    @Test(arguments: [("/icons/fox.svg", true), ("https://x.example/a.png", true), ("//x.example/a.png", false)])
    func `an icon may be a path of the same origin`(icon: String, isTaken: Bool) {
        let draft = try? ToastDraft(json: ["message": "m", "icon": .string(icon)])
        #expect(draft?.details.icon == (isTaken ? icon : nil))
    }

    @Test func `a patch takes the title back to the role's own`() throws {
        var stage = try EngineScenario(["title": "none"], isAttached: false)
        for (index, title) in ([.null, "T", ["key": "t", "default": "T"]] as [JSON]).enumerated() {
            let name = "t\(index)"
            try stage.post(name, at: 0, with: ["title": title])
            let patch = try ToastPatch(json: ["title": ["automatic": true]])
            try stage.apply(.update(try stage.id(name), patch, ifRevision: nil), at: 1)
            #expect(try stage.toast(name).title == .automatic)
            #expect(stage.timeline.last == "1 updated \(name) title")
        }
        try stage.post("own", at: 2, with: ["title": ["automatic": true]])
        #expect(try stage.toast("own").title == .automatic)
        #expect(throws: ValidationError.self) { try ToastDraft(json: ["title": ["automatic": true]]) }
    }

    @Test func `an unseen toast of ToastUI does not refuse all others for ever`() throws {
        var stage = try EngineScenario(["preset": "toastui"], isAttached: false)
        try stage.post("a", at: 0)
        #expect(throws: EngineError.self) { try stage.post("b", at: 59) }
        try stage.post("c", at: 60)
        #expect(stage.queue == ["c"])
    }

    @Test func `an inset may be another one at each edge`() throws {
        let settings = try Settings(json: ["layout": ["inset": ["top": 8, "trailing": 24]]])
        #expect(settings.effective.layout["inset"] == ["top": 8, "bottom": 16, "leading": 16, "trailing": 24])
        let sources = Dictionary(uniqueKeysWithValues: settings.sources.map { ($0.name, $0.source) })
        #expect(sources["layout/inset/top"] == .channel)
        #expect(sources["layout/inset/bottom"] == .server)
        let plain = try Settings(json: ["preset": "inapp", "layout": ["inset": 12]])
        #expect(plain.effective.layout["inset"] == 12)
        let noticeUI = try Settings(json: ["preset": "noticeui", "layout": ["inset": ["top": 1]]])
        let byEdge = Dictionary(uniqueKeysWithValues: noticeUI.sources.map { ($0.name, $0.source) })
        #expect(byEdge["layout/inset/leading"] == .preset)
    }
}
