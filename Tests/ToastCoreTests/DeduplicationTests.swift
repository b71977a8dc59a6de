import Testing
import ToastCore

@Suite struct DeduplicationTests {
    @Test func aWaitingToastGoesToTheEndAndWaitsAnew() throws {
        var stage = try EngineScenario(["deduplication": "identity"], isAttached: false)
        try stage.post(["a", "b"], at: 0, with: ["expiresAfter": 3])
        try stage.post("again", at: 2, with: ["message": "a", "expiresAfter": 3])
        #expect(stage.queue == ["b", "a"])
        #expect(stage.timeline.last == "2 updated a moved")
        try stage.run(until: 20)
        #expect(stage.shown == ["3 dismissed b expired", "5 dismissed a expired"])
    }

    /// Viewers saw `a` become the newest, and then `c` appear; a viewer that joins later has to see the same.
    @Test func theScreenIsInTheOrderInWhichEverybodySawItChange() throws {
        var stage = try EngineScenario(["mode": "stack", "deduplication": "identity", "maxVisible": 2])
        try stage.post(["a", "b", "c"], duration: 9, at: 0)
        try stage.post("again", duration: 9, at: 1, with: ["message": "a"])
        #expect(stage.screen == ["b", "a"])
        try stage.apply(.dismiss(try stage.id("b"), .api), at: 2)
        #expect(stage.screen == ["a", "c"])
    }

    @Test func aBatchMayHoldDuplicatesOfItself() throws {
        var stage = try EngineScenario(["mode": "stack", "deduplication": "identity"])
        try stage.post(["a", "b", "c"], at: 0, with: ["message": "same"])
        #expect(stage.timeline == ["0 enqueued a", "0 updated a moved", "0 updated a moved", "0 presented a for 1.35"])
        #expect(try stage.toast("a").revision == 3)
    }

    @Test func aDuplicateIsNeverTooMany() throws {
        var full = try EngineScenario(["deduplication": "identity", "capacity": 1], isAttached: false)
        try full.post("a", at: 0)
        try full.post(["again", "and again"], at: 1, with: ["message": "a"])
        #expect(full.queue == ["a"])
        var reject = try EngineScenario(["mode": "reject", "deduplication": "equal"])
        try reject.post("a", at: 0)
        try reject.post("again", at: 0.5, with: ["message": "a"])
        #expect(reject.timeline == ["0 enqueued a", "0 presented a for 1"])
    }

    /// The last one that was sent is the one that stays.
    @Test(arguments: ["replace", "replaceAll"])
    func whereOnlyTheNewestStaysAnEqualOlderOneIsNoDuplicate(_ mode: String) throws {
        var stage = try EngineScenario(["mode": .string(mode), "deduplication": "equal", "minimumVisible": 1])
        try stage.post("a", duration: 60, at: 0, with: ["message": "A"])
        try stage.post(["b", "c"], duration: 60, at: 0.5, with: ["message": "B"])
        #expect(stage.queue == (mode == "replace" ? [] : ["b"]))
        try stage.post("d", duration: 60, at: 0.6, with: ["message": "A"])
        try stage.run(until: 10)
        #expect(stage.screen == ["d"])
    }

    @Test func aPatchThatMakesTwoToastsTheSameIsOnlyAPatch() throws {
        var stage = try EngineScenario(["mode": "stack", "deduplication": "identity"])
        try stage.post(["a", "b"], duration: 9, at: 0)
        let patch = try ToastPatch(json: ["message": "a"])
        try stage.apply(.update(try stage.id("b"), patch, ifRevision: nil), at: 1)
        #expect(stage.screen == ["a", "b"])
    }

    @Test func automaticTitlesAreTheSameOnlyForOneRole() throws {
        var stage = try EngineScenario(["mode": "stack", "deduplication": "identity"])
        try stage.post("a", .info, at: 0)
        try stage.post("b", .error, at: 0, with: ["message": "a"])
        try stage.post("c", .info, at: 0, with: ["message": "a"])
        #expect(stage.screen == ["b", "a"])
    }

    @Test func aHeldDuplicateKeepsItsNewTimeFrozen() throws {
        var stage = try EngineScenario(["deduplication": "identity"])
        try stage.post("a", duration: 2, at: 0)
        try stage.apply(.hold(try stage.id("a"), holder: "v", lease: Interval(seconds: 4)), at: 1)
        try stage.post("again", duration: 3, at: 2, with: ["message": "a"])
        try stage.run(until: 20)
        #expect(stage.timeline.suffix(2) == ["5 released a v for 3", "8 dismissed a timeout exit 0.35"])
    }

    @Test func allOfANameAreDismissed() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b"], at: 0, with: ["reuseIdentifier": "x"])
        try stage.post("c", at: 0)
        try stage.apply(.dismissAll(ToastFilter(reuseIdentifier: "x")), at: 0.5)
        try stage.apply(.dismissAll(ToastFilter(reuseIdentifier: "x")), at: 0.6)
        #expect(stage.shown.dropFirst() == ["0.5 dismissed a api exit 0.35", "0.5 dismissed b api"])
        #expect(stage.queue == ["c"])
    }
}

@Suite struct CompletionTests {
    @Test func belowTheTotalTheFullTimeIsBack() throws {
        var stage = try EngineScenario()
        try stage.post("a", duration: 5, at: 0, with: ["progress": ["value": 0, "dismissAfter": 2]])
        for (value, seconds) in [(1.0, 3.0), (0.5, 4), (0.6, 5)] {
            let patch = try ToastPatch(json: ["progress": ["value": .double(value)]])
            try stage.apply(.update(try stage.id("a"), patch, ifRevision: nil), at: seconds)
        }
        #expect(
            stage.timeline.suffix(3) == [
                "3 updated a progress for 2", "4 updated a progress for 5", "5 updated a progress for 4",
            ]
        )
        try stage.run(until: 20)
        #expect(stage.shown.last == "9 dismissed a timeout exit 0.35")
    }

    @Test func withoutAWordAboutItCompletionEndsNothing() throws {
        var stage = try EngineScenario()
        try stage.post("a", duration: 5, at: 0, with: ["progress": ["value": 1]])
        try stage.run(until: 20)
        #expect(stage.shown.last == "5 dismissed a timeout exit 0.35")
    }
}

@Suite struct PresentationTests {
    private func presentation(_ settings: JSONObject, _ members: JSONObject) throws -> Presentation {
        var stage = try EngineScenario(settings)
        try stage.post("Disk full", .error, at: 0, with: members)
        guard case .presented(_, let presentation) = stage.events.last?.kind else {
            throw EngineError.toastNotPresented
        }
        return presentation
    }

    @Test func hapticsAreResolved() throws {
        #expect(try self.presentation([:], [:]).haptic == .error)
        #expect(try self.presentation([:], ["role": "info"]).haptic == .light)
        #expect(try self.presentation(["haptics": ["error": "heavy"]], [:]).haptic == .heavy)
        #expect(try self.presentation([:], ["haptic": "none"]).haptic == nil)
        #expect(try self.presentation([:], ["haptic": "medium"]).haptic == .medium)
    }

    @Test func announcementsAreMadeOnce() throws {
        #expect(try self.presentation([:], [:]).announcement == "error, Disk full")
        #expect(try self.presentation(["spokenPrefix": false], ["title": "T"]).announcement == "T. Disk full")
    }

    @Test func anUpdateIsAnnouncedWhenItSaysSomethingNew() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b"], duration: 9, at: 0)
        let patches: [(String, JSON)] = [
            ("a", ["message": "new"]), ("a", ["style": "retro"]), ("b", ["message": "x"]),
        ]
        for (name, patch) in patches {
            try stage.apply(.update(try stage.id(name), try ToastPatch(json: patch), ifRevision: nil), at: 1)
        }
        let announcements = stage.events.suffix(3).map { event -> String? in
            guard case .updated(_, let update) = event.kind else { return "?" }
            return update.announcement
        }
        #expect(announcements == ["information, new", nil, nil])
    }

    @Test func anAudienceMayWishForMoreTime() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.apply(.audience(Audience(isAttached: true, isAssistive: true, scale: 3)), at: 0)
        try stage.post(["a", "b", "c"], at: 0)
        try stage.apply(.audience(Audience(isAttached: true, isAssistive: true, scale: 1.2)), at: 1)
        try stage.run(until: 5)
        try stage.apply(.audience(Audience(isAttached: true, scale: 99)), at: 5)
        try stage.run(until: 60)
        #expect(
            stage.shown.filter { $0.contains("presented") } == [
                "0 presented a for 3", "3.55 presented b for 1.5", "5.6 presented c for 10",
            ]
        )
    }
}
