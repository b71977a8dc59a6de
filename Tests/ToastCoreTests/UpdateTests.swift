import Testing
import ToastCore

@Suite struct UpdateTests {
    private var stage: EngineScenario

    init() throws {
        self.stage = try EngineScenario(.priority)
        try self.stage.post("a", duration: 4, at: 0, with: ["progress": ["value": 0.2], "data": ["x": 1, "y": 2]])
        try self.stage.post(["b", "c"], at: 0)
    }

    private mutating func update(
        _ name: String,
        _ patch: JSON,
        ifRevision revision: Int? = nil,
        at seconds: Double
    ) throws {
        try self.stage.apply(
            .update(try self.stage.id(name), try ToastPatch(json: patch), ifRevision: revision),
            at: seconds
        )
    }

    @Test mutating func anUpdateShowsWhatChangedAndLetsTheTimeRun() throws {
        try self.update("a", ["progress": ["value": 0.5], "role": "info", "unknown": 1], at: 1)
        #expect(self.stage.timeline.last == "1 updated a progress for 3")
        #expect(try self.stage.toast("a").progress == .determinate(value: 0.5, total: 1))
        #expect(try self.stage.toast("a").revision == 2)
        try self.stage.run(until: 5)
        #expect(self.stage.shown.contains("4 dismissed a timeout exit 0.35"))
    }

    @Test mutating func aPatchThatNamesTheDurationStartsItAnew() throws {
        try self.update("a", ["duration": 4], at: 3)
        #expect(self.stage.timeline.last == "3 updated a duration for 4")
        try self.update("a", ["duration": "indefinite"], at: 4)
        #expect(self.stage.timeline.last == "4 updated a duration")
        try self.update("a", ["duration": .null], at: 5)
        #expect(self.stage.timeline.last == "5 updated a duration for 6")
    }

    @Test mutating func aHeldToastKeepsItsNewTimeFrozen() throws {
        try self.stage.apply(.hold(try self.stage.id("a"), holder: "v", lease: Interval(seconds: 9)), at: 1)
        try self.update("a", ["duration": 2], at: 2)
        try self.stage.run(until: 20)
        #expect(self.stage.timeline.contains("10 released a v for 2"))
        #expect(self.stage.timeline.contains("12 dismissed a timeout exit 0.35"))
    }

    @Test mutating func aPatchMergesObjectsAndRemovesWithNull() throws {
        try self.update("a", ["data": ["y": .null, "z": 3], "message": .null, "title": "T"], at: 1)
        let toast = try self.stage.toast("a")
        #expect(toast.data == ["x": 1, "z": 3])
        #expect(toast.message == nil)
        #expect(toast.title == .custom(.raw("T")))
        try self.update("a", ["message": "m", "title": .null], at: 1)
        #expect(try self.stage.toast("a").title == ToastTitle.none)
    }

    @Test mutating func nothingHappensWhenNothingChanges() throws {
        let count = self.stage.events.count
        try self.update("a", ["message": "a", "progress": ["value": 0.2, "total": 1.0]], at: 1)
        try self.update("b", ["duration": 1], at: 1)
        #expect(self.stage.events.count == count)
        #expect(try self.stage.toast("a").revision == 1)
    }

    @Test mutating func anotherRoleIsAnotherPlaceInAPriorityQueue() throws {
        try self.update("c", ["role": "error"], at: 1)
        #expect(self.stage.queue == ["c", "b"])
        try self.update("c", ["role": .null], at: 1)
        #expect(self.stage.queue == ["b", "c"])
    }

    @Test mutating func anotherExpiryCountsFromTheStart() throws {
        try self.update("b", ["expiresAfter": 3], at: 2)
        try self.update("c", ["expiresAfter": 2.5], at: 2)
        try self.update("c", ["expiresAfter": .null], at: 2)
        try self.stage.run(until: 3.5)
        #expect(self.stage.shown.last == "3 dismissed b expired")
    }

    @Test mutating func aRevisionMustMatch() throws {
        try self.update("a", ["message": "new"], ifRevision: 1, at: 1)
        #expect(throws: EngineError.revisionMismatch(current: 2)) {
            try self.update("a", ["message": "newer"], ifRevision: 1, at: 1)
        }
        #expect(try self.stage.toast("a").message == .raw("new"))
    }

    @Test mutating func whatAnIndeterminateProgressIgnoresIsWarnedOf() throws {
        try self.stage.post("d", at: 0, with: ["progress": ["indeterminate": true]])
        let patch: JSON = ["progress": ["total": 3, "dismissAfter": 3]]
        try self.update("d", patch, at: 1)
        #expect(try self.stage.toast("d").revision == 1)
        let warnings = try ToastPatch(json: patch).warnings(for: self.stage.toast("d"))
        #expect(warnings.map(\.pointer) == ["/progress/total", "/progress/dismissAfter"])
        try self.update("a", patch, at: 1)
        let others = try ToastPatch(json: patch).warnings(for: self.stage.toast("a"))
        #expect(others == [])
    }

    @Test mutating func whatWouldNotBeValidIsRefused() throws {
        let error = ValidationError(issues: [
            ValidationIssue(pointer: "/message", detail: "A toast needs a message or a title.")
        ])
        #expect(throws: EngineError.invalid(error)) { try self.update("a", ["message": .null], at: 1) }
        #expect(throws: EngineError.self) { try self.update("a", ["image": ["alt": "no url"]], at: 1) }
        try self.stage.apply(.dismiss(try self.stage.id("a"), .close), at: 1)
        #expect(throws: EngineError.toastDismissed) { try self.update("a", ["message": "late"], at: 1) }
    }
}

@Suite struct ConfigurationTests {
    @Test func anotherModeOrdersWhatWaits() throws {
        var stage = try EngineScenario()
        try stage.post("shown", at: 0)
        try stage.post("i", .info, at: 0)
        try stage.post("w", .warning, at: 0)
        try stage.post("e", .error, at: 0)
        try stage.apply(.configure(try Settings(json: ["mode": "priority"])), at: 0.1)
        #expect(stage.queue == ["e", "w", "i"])
        try stage.apply(.configure(try Settings(json: ["mode": "fifo"])), at: 0.2)
        #expect(stage.queue == ["i", "w", "e"])
        try stage.apply(.configure(try Settings(json: ["mode": "replaceAll", "minimumVisible": 0])), at: 0.3)
        #expect(stage.queue == ["e"])
        try stage.run(until: 1)
        #expect(stage.shown.last == "0.65 presented e for 1")
    }

    @Test func theSameSettingsAreNoEvent() throws {
        var stage = try EngineScenario()
        let count = stage.events.count
        try stage.apply(.configure(stage.engine.settings), at: 1)
        #expect(stage.events.count == count)
    }

    @Test func settingsCountForToastsThatComeLater() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post("a", duration: .null, at: 0)
        try stage.apply(.configure(try Settings(json: ["style": "retro", "duration": 3, "haptic": "none"])), at: 1)
        try stage.post("b", duration: .null, at: 1)
        #expect(try stage.toast("a").style == .glass)
        #expect(try stage.toast("a").duration == .finite(Interval(seconds: 6)))
        #expect(try stage.toast("b").style.rawValue == "retro")
        #expect(try stage.toast("b").duration == .finite(Interval(seconds: 3)))
        #expect(try stage.toast("b").haptic == Haptic.none)
    }
}
