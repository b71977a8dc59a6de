import Testing
import ToastCore

/// Bugs of Y-Snackbar's stacks, each as a test that the bug would fail.
@Suite struct SeedStackBugTests {
    private var stage: EngineScenario

    init() throws {
        self.stage = try EngineScenario(["preset": "ysnackbar"])
    }

    private mutating func add(_ name: String, at seconds: Double = 0, _ members: JSONObject = [:]) throws {
        try self.stage.post(name, duration: 4, at: seconds, with: members)
    }

    @Test(arguments: [DismissReason.swipe, .api])
    mutating func bug30ARemovedSnackTakesItsTimerAlong(reason: DismissReason) throws {
        try self.add("a")
        try self.stage.apply(.dismiss(try self.stage.id("a"), reason), at: 3)
        try self.add("again", at: 3.5, ["message": "a"])
        try self.stage.run(until: 60)
        #expect(self.stage.shown.last == "7.9 dismissed again timeout exit 0.3")
    }

    @Test mutating func bug31ADuplicateDuringTheEntryHasOneTimer() throws {
        try self.add("a")
        try self.add("again", at: 0.1, ["message": "a", "duration": 6])
        #expect(self.stage.timeline.last == "0.1 updated a duration moved for 6.3")
        try self.stage.run(until: 60)
        #expect(self.stage.shown == ["0 presented a for 4.4", "6.4 dismissed a timeout exit 0.3"])
    }

    @Test mutating func bug31AMoveDuringTheEntryCountsFromTheLaterEnd() throws {
        try self.add("a")
        try self.add("b")
        try self.add("a again", at: 0.05, ["message": "a"])
        #expect(self.stage.timeline.last == "0.05 updated a moved for 4.35")
        try self.add("b again", at: 0.2, ["message": "b"])
        #expect(self.stage.timeline.last == "0.2 updated b moved for 4.3")
    }

    /// Equality that is not transitive: a snack without an identifier is the same as two that are not the same.
    @Test mutating func bug32OfTwoThatAreTheSameTheBetterAndThenTheNewerOneIsIt() throws {
        try self.add("x", ["reuseIdentifier": "x", "message": "m"])
        try self.add("y", ["reuseIdentifier": "y", "message": "m"])
        #expect(self.stage.screen == ["x", "y"])
        try self.add("none", at: 1, ["message": "m"])
        #expect(self.stage.screen == ["x", "y"])
        #expect(try self.stage.toast("y").reuseIdentifier == nil)
        try self.add("named", at: 2, ["reuseIdentifier": "x", "message": "m"])
        #expect(self.stage.screen == ["y", "x"])
        #expect(try self.stage.toast("x").revision == 2)
        #expect(try self.stage.toast("y").revision == 2)
    }

    @Test mutating func bug32ASnackWithoutAnIdentifierFindsItsTimer() throws {
        try self.add("x", ["reuseIdentifier": "x", "message": "m"])
        try self.add("none", at: 2, ["message": "m"])
        try self.stage.run(until: 60)
        #expect(self.stage.shown == ["0 presented x for 4.4", "6 dismissed x timeout exit 0.3"])
    }

    @Test mutating func bug33ZeroIsForeverAndLessOrNoNumberIsAnError() throws {
        try self.add("a", ["duration": 0])
        try self.stage.run(until: 10_000)
        #expect(self.stage.screen == ["a"])
        for duration in [JSON.double(.nan), .double(-1), .double(.infinity), "NaN"] {
            #expect(throws: ValidationError.self) { try ToastDraft(json: ["message": "m", "duration": duration]) }
            let patch = try ToastPatch(json: ["duration": duration])
            #expect(throws: EngineError.self) {
                try self.stage.apply(.update(try self.stage.id("a"), patch, ifRevision: nil), at: 10_000)
            }
        }
    }

    @Test mutating func bug38ADuplicateReplacesEveryMember() throws {
        let full: JSONObject = [
            "reuseIdentifier": "r", "role": "error", "title": "T", "icon": "wifi", "style": "retro", "haptic": "heavy",
            "actions": [["id": "a", "title": "A"]], "progress": ["value": 1], "image": ["url": "/x.png", "alt": "x"],
            "requiresInteraction": true, "dimsBackground": true, "appearance": ["layout": ["iconSize": 64]],
            "expiresAfter": 9, "data": 1,
        ]
        try self.add("a", full)
        let admission = try self.stage.enqueue("again", ["reuseIdentifier": "r", "message": "n"], at: 1)
        #expect(!admission.isNew)
        let fresh = try self.stage.enqueue("fresh", ["message": "n", "placement": "bottom"], at: 1)
        let id = try #require(fresh.toasts.first?.id)
        let (old, new) = (try self.stage.toast("a"), try #require(self.stage.engine.toast(id)))
        #expect(old.role == new.role && old.title == new.title && old.message == new.message)
        #expect(old.style == new.style && old.haptic == new.haptic && old.duration == new.duration)
        #expect(old.icon == nil && old.actions.isEmpty && old.progress == nil && old.image == nil && old.data == nil)
        #expect(!old.requiresInteraction && !old.dimsBackground)
        #expect(old.appearance == nil && old.expiresAfter == nil)
        guard case .updated(_, let update) = self.stage.events.first(where: { $0.type == .updated })?.kind else {
            return
        }
        #expect(update.changed.count == 14)
    }

    @Test mutating func bug39AnUnlimitedStackHasABoundPastWhichSnacksWait() throws {
        try self.stage.post((0..<300).map(String.init), duration: 4, at: 0)
        #expect(self.stage.screen.count == Engine.maximumVisible)
        #expect(self.stage.queue == (256..<300).map(String.init))
        try self.stage.apply(.dismiss(try self.stage.id("7"), .swipe), at: 1)
        #expect(self.stage.screen.last == "256")
        try self.stage.run(until: 20)
        #expect(self.stage.order == (0..<300).map(String.init))
    }

    @Test func bug39AStackShowsAsManyAsTheChannelSays() throws {
        var stage = try EngineScenario(["preset": "ysnackbar", "maxVisible": 2])
        try stage.post(["a", "b", "c", "d"], duration: 4, at: 0)
        try stage.post("bottom", duration: 4, at: 0, with: ["placement": "bottom"])
        #expect(stage.screen == ["a", "b", "bottom"])
        try stage.apply(.dismiss(try stage.id("b"), .swipe), at: 1)
        #expect(stage.screen == ["a", "bottom", "c"])
        #expect(stage.timeline.last == "1 presented c for 4.4")
    }
}
