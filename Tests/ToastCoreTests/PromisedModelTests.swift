import Testing
import ToastCore

/// What requires an interaction has no end only while an assistive viewer is attached.
@Suite struct RequiresInteractionTests {
    private var stage: EngineScenario

    init() throws {
        self.stage = try EngineScenario(isAttached: false)
        try self.stage.apply(.audience(Audience(isAttached: true, isAssistive: true)), at: 0)
        try self.stage.post("a", duration: 4, at: 0, with: ["requiresInteraction": true])
    }

    @Test mutating func `when the last assistive viewer leaves, the toast gets its normal time`() throws {
        try self.stage.apply(.audience(Audience(isAttached: true)), at: 100)
        try self.stage.run(until: 200)
        #expect(self.stage.timeline.contains("102 updated a for 2"))
        #expect(try self.stage.toast("a").revision == 1)
        #expect(self.stage.shown.last == "104 dismissed a timeout exit 0.35")
    }

    @Test mutating func `without the requirement it gets its normal time at once`() throws {
        let patch = try ToastPatch(json: ["requiresInteraction": false])
        try self.stage.apply(.update(try self.stage.id("a"), patch, ifRevision: nil), at: 10)
        #expect(self.stage.timeline.last == "10 updated a requiresInteraction for 6")
        try self.stage.run(until: 100)
        #expect(self.stage.screen == [])
    }

    @Test mutating func `also while the last assistive viewer may still come back`() throws {
        try self.stage.apply(.audience(Audience(isAttached: true)), at: 10)
        let patch = try ToastPatch(json: ["requiresInteraction": false])
        try self.stage.apply(.update(try self.stage.id("a"), patch, ifRevision: nil), at: 11)
        try self.stage.run(until: 100)
        #expect(self.stage.shown.last == "15 dismissed a timeout exit 0.35")
    }

    @Test mutating func `one that gets the requirement has no end`() throws {
        try self.stage.apply(.dismiss(try self.stage.id("a"), .api), at: 1)
        try self.stage.post("b", duration: 4, at: 2)
        let patch = try ToastPatch(json: ["requiresInteraction": true])
        try self.stage.apply(.update(try self.stage.id("b"), patch, ifRevision: nil), at: 3)
        try self.stage.run(until: 1000)
        #expect(self.stage.screen == ["b"])
    }

    @Test mutating func `also when nobody is left`() throws {
        try self.stage.apply(.audience(.none), at: 100)
        try self.stage.run(until: 200)
        #expect(self.stage.shown.last == "104 dismissed a timeout exit 0.35")
    }

    @Test mutating func `as long as one of them is there, it stays`() throws {
        try self.stage.apply(.audience(Audience(isAttached: true, isAssistive: true, scale: 2)), at: 100)
        try self.stage.run(until: 1000)
        #expect(self.stage.screen == ["a"])
    }

    @Test mutating func `whoever comes back in time has all the time again`() throws {
        try self.stage.apply(.audience(.none), at: 100)
        try self.stage.apply(.audience(Audience(isAttached: true, isAssistive: true)), at: 103)
        #expect(self.stage.timeline.suffix(2) == ["102 updated a for 2", "103 updated a"])
        try self.stage.run(until: 1000)
        #expect(self.stage.screen == ["a"])
    }

    @Test mutating func `whoever comes back at once, as a long-poll does each time, has not left`() throws {
        let count = self.stage.events.count
        for second in 1..<60 {
            try self.stage.apply(.audience(second % 2 == 0 ? .none : Audience(isAttached: true)), at: Double(second))
            let assistive = Audience(isAttached: true, isAssistive: true)
            try self.stage.apply(.audience(assistive), at: Double(second) + 0.9)
        }
        try self.stage.run(until: 1000)
        #expect(self.stage.events.count == count)
        #expect(self.stage.screen == ["a"])
    }

    @Test mutating func `what has less time than it takes to have left goes then`() throws {
        try self.stage.apply(.dismiss(try self.stage.id("a"), .api), at: 1)
        try self.stage.post("b", duration: 1, at: 2, with: ["requiresInteraction": true])
        try self.stage.apply(.audience(.none), at: 10)
        try self.stage.run(until: 100)
        #expect(self.stage.shown.last == "12 dismissed b timeout exit 0.35")
    }

    @Test mutating func `a held one keeps its normal time for when it is let go`() throws {
        try self.stage.apply(.hold(try self.stage.id("a"), holder: "v", lease: Interval(seconds: 10)), at: 1)
        try self.stage.apply(.audience(Audience(isAttached: true)), at: 2)
        try self.stage.run(until: 100)
        #expect(self.stage.timeline.contains("11 released a v for 4"))
        #expect(self.stage.shown.last == "15 dismissed a timeout exit 0.35")
    }

    @Test mutating func `a restart is no leaving`() throws {
        let state = self.stage.engine.snapshotState()
        var engine = try Engine(channel: self.stage.engine.channel, epoch: self.stage.engine.epoch, restoring: state)
        let later = EngineScenario.start + Interval(seconds: 60)
        #expect(try engine.apply(.audience(.none), at: later).isEmpty)
        #expect(engine.nextDeadline == nil)
        let events = try engine.apply(.audience(Audience(isAttached: true)), at: later)
        #expect(events.isEmpty)
        let end = try #require(engine.nextDeadline)
        #expect(engine.tick(at: end).map(\.type) == [.updated])
        #expect(engine.nextDeadline == later + Interval(seconds: 4))
    }

    @Test func `what has no end of its own, and what requires nothing, stays as it is`() throws {
        var stage = try EngineScenario(["mode": "stack"], isAttached: false)
        try stage.apply(.audience(Audience(isAttached: true, isAssistive: true)), at: 0)
        try stage.post("endless", duration: "indefinite", at: 0, with: ["requiresInteraction": true])
        try stage.post("usual", duration: 60, at: 0)
        let count = stage.timeline.count
        try stage.apply(.audience(Audience(isAttached: true)), at: 1)
        #expect(stage.timeline.count == count)
    }
}

/// What a fast stream shows can be read.
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

    @Test func `what was on screen long enough goes at once, what came just now a moment later`() throws {
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

    @Test func `a late tick ends it when it was due`() throws {
        var stage = try EngineScenario(["mode": "replaceAll"])
        try stage.post("a", duration: 60, at: 0)
        try stage.post("b", duration: 60, at: 0.1)
        try stage.tickLate(at: 9)
        #expect(stage.shown == ["0 presented a for 60", "0.5 dismissed a replaced exit 0.35", "9 presented b for 60"])
    }

    @Test func `when the newest goes before its turn, what is shown stays`() throws {
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

    @Test mutating func `how far the work is does not end it, nor do actions that say so`() throws {
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
    func `what else an action may say is refused`(dismisses: JSON, pointer: String) throws {
        let action: JSON = ["id": "a", "title": "A", "dismisses": dismisses]
        let error = #expect(throws: ValidationError.self) {
            try ToastDraft(json: ["message": "m", "actions": [action]])
        }
        #expect(error?.issues.map(\.pointer) == [pointer])
    }

    @Test func `only what dismisses when it is done can be pending`() throws {
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
        #expect(resolved.actions.map(\.dismissal) == [.whenDone])
        #expect(resolved.actions.map(\.isPending) == [true])
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
        #expect(draft?.icon == (isTaken ? Link(rawValue: icon).map(Icon.link) : nil))
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
        let inset = settings.effective.layout.inset
        #expect([inset.top, inset.bottom, inset.leading, inset.trailing] == [8, 16, 16, 24])
        let sources = Dictionary(uniqueKeysWithValues: settings.sources.map { ($0.name, $0.source) })
        #expect(sources["layout/inset/top"] == .channel)
        #expect(sources["layout/inset/bottom"] == .server)
        let plain = try Settings(json: ["preset": "inapp", "layout": ["inset": 12]])
        #expect(plain.effective.layout.inset == 12)
        let noticeUI = try Settings(json: ["preset": "noticeui", "layout": ["inset": ["top": 1]]])
        let byEdge = Dictionary(uniqueKeysWithValues: noticeUI.sources.map { ($0.name, $0.source) })
        #expect(byEdge["layout/inset/leading"] == .preset)
    }
}
