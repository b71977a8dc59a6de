import Testing
import ToastCore

@Suite struct DelayTests {
    private func time(_ seconds: Double) -> JSON {
        let instant = EngineScenario.start + Interval(seconds: seconds)
        return JSON(writing: instant)
    }

    @Test func aToastWaitsForItsTimeAndKeepsNobodyWaiting() throws {
        var stage = try EngineScenario()
        try stage.post("later", duration: 1, at: 0, with: ["notBefore": self.time(5)])
        try stage.post("now", duration: 1, at: 0)
        #expect(stage.screen == ["now"])
        #expect(stage.queue == ["later"])
        #expect(stage.engine.queueLength == 1)
        try stage.run(until: 20)
        #expect(stage.order == ["now", "later"])
        #expect(stage.timeline.contains("5 presented later for 1"))
        #expect(try stage.toast("later").notBefore == nil)
        #expect(try stage.toast("later").revision == 2)
    }

    @Test func theTimeToExpireBeginsWithTheDelayOver() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post("later", at: 0, with: ["notBefore": self.time(5), "expiresAfter": 3])
        try stage.run(until: 7)
        #expect(stage.queue == ["later"])
        try stage.run(until: 9)
        #expect(stage.timeline.last == "8 dismissed later expired")
    }

    @Test func aTimeThatHasPassedIsNoDelay() throws {
        var stage = try EngineScenario()
        try stage.post("a", at: 5, with: ["notBefore": self.time(4)])
        #expect(stage.screen == ["a"])
        #expect(try stage.toast("a").revision == 1)
    }

    @Test(arguments: [QueueMode.replace, .replaceAll]) func itComesAsTheNewest(_ mode: QueueMode) throws {
        var stage = try EngineScenario(mode)
        try stage.post("later", duration: 9, at: 0, with: ["notBefore": self.time(5)])
        try stage.post("now", duration: 60, at: 1)
        try stage.run(until: 6)
        #expect(stage.screen == ["later"])
    }

    @Test func aChannelThatRefusesWhenBusyTakesADelayedToast() throws {
        var stage = try EngineScenario(.reject)
        try stage.post("now", duration: 9, at: 0)
        try stage.post("later", duration: 9, at: 1, with: ["notBefore": self.time(5)])
        try stage.run(until: 30)
        #expect(stage.order == ["now", "later"])
    }

    @Test func itCountsInAFullQueueAndIsCleared() throws {
        var stage = try EngineScenario(isAttached: false, capacity: 1)
        try stage.post("later", at: 0, with: ["notBefore": self.time(5)])
        #expect(throws: EngineError.queueFull(capacity: 1)) { try stage.post("more", at: 1) }
        try stage.apply(.clear, at: 2)
        #expect(stage.queue.isEmpty)
        #expect(stage.engine.nextDeadline == nil)
    }

    @Test(arguments: [QueueMode.replace, .replaceAll])
    func itCountsAlsoWhereOnlyTheNewestStays(_ mode: QueueMode) throws {
        var stage = try EngineScenario(mode, isAttached: false, capacity: 1)
        try stage.post("later", at: 0, with: ["notBefore": self.time(5)])
        #expect(throws: EngineError.queueFull(capacity: 1)) {
            try stage.post("much later", at: 1, with: ["notBefore": self.time(50)])
        }
        try stage.post("now", at: 1)
        let patch = try ToastPatch(json: ["notBefore": self.time(9)])
        #expect(throws: EngineError.queueFull(capacity: 1)) {
            try stage.apply(.update(try stage.id("now"), patch, ifRevision: nil), at: 2)
        }
        #expect(throws: EngineError.queueFull(capacity: 1)) {
            var upsert: JSONObject = ["reuseIdentifier": "x", "whenPresent": "replace"]
            try stage.post("other", at: 2, with: upsert)
            upsert["notBefore"] = self.time(9)
            try stage.post("again", at: 2, with: upsert)
        }
        try stage.apply(.update(try stage.id("later"), patch, ifRevision: nil), at: 3)
        #expect(stage.queue == ["other", "later"])
    }

    @Test(arguments: ["identity", "equal"]) func itIsComparedWithNoOther(_ rule: String) throws {
        var stage = try EngineScenario(["mode": "fifo", "deduplication": .string(rule)])
        let same: JSONObject = ["message": "same"]
        let delayed: JSONObject = ["message": "same", "notBefore": self.time(5)]
        try stage.post("now", duration: 1, at: 0, with: same)
        try stage.post("later", duration: 1, at: 0.1, with: delayed)
        try stage.post("second", duration: 1, at: 0.2, with: delayed)
        try stage.post("first", duration: 1, at: 3, with: same)
        try stage.run(until: 20)
        #expect(stage.order == ["now", "first", "later", "second"])
    }

    @Test func withoutItsTimeItJoinsTheQueueAsTheNewest() throws {
        var stage = try EngineScenario(.fifo)
        try stage.post("later", duration: 1, at: 0, with: ["notBefore": self.time(50), "expiresAfter": 9])
        try stage.post(["a", "b"], duration: 1, at: 20)
        let patch = try ToastPatch(json: ["notBefore": .null])
        try stage.apply(.update(try stage.id("later"), patch, ifRevision: nil), at: 20.5)
        #expect(stage.queue == ["b", "later"])
        try stage.run(until: 40)
        #expect(stage.order == ["a", "b", "later"])
    }

    @Test func aPatchToATimeThatHasPassedIsNoDelay() throws {
        var stage = try EngineScenario(.fifo)
        try stage.post(["a", "b", "c"], duration: 1, at: 0)
        let patch = try ToastPatch(json: ["notBefore": self.time(-5), "message": "B"])
        try stage.apply(.update(try stage.id("b"), patch, ifRevision: nil), at: 0.5)
        #expect(stage.queue == ["b", "c"])
        #expect(try stage.toast("b").notBefore == nil)
    }

    @Test func otherLanesAndAPatchChangeWhereAndWhenItComes() throws {
        var stage = try EngineScenario()
        try stage.post("later", at: 0, with: ["notBefore": self.time(50), "placement": "bottom"])
        try stage.apply(.configure(try Settings(json: ["lanes": "placement"])), at: 1)
        let patch = try ToastPatch(json: ["notBefore": self.time(3)])
        try stage.apply(.update(try stage.id("later"), patch, ifRevision: nil), at: 2)
        try stage.run(until: 3)
        #expect(stage.screen(.bottom) == ["later"])
    }

    @Test(arguments: [
        ("2026-11-21T03:28:22Z", "2026-11-21T03:28:22.000Z"), ("2026-11-21t03:28:22.5z", "2026-11-21T03:28:22.500Z"),
        ("2026-11-21T03:28:22.123456789+02:00", "2026-11-21T01:28:22.123Z"),
        ("2026-12-31 23:30:00-01:30", "2027-01-01T01:00:00.000Z"), ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"),
        ("0001-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"), ("1970-01-01T00:30:00+01:00", "1970-01-01T00:00:00.000Z"),
        ("9999-02-29T00:00:00Z", "2262-01-01T00:00:00.000Z"),
    ])
    func anyTimeOfTheStandardIsRead(_ text: String, _ meaning: String) throws {
        let instant = try #require(Instant(rfc3339: text))
        #expect(JSON(writing: instant) == .string(meaning))
    }

    @Test(arguments: [
        "", "tomorrow", "2026-11-21", "2026-11-21T03:28:22", "2026-11-21T03:28:22.Z", "2026-13-21T03:28:22Z",
        "2026-11-21T03:28:22+2:00", "2026-11-21T03:28:61Z", "2026-11-21T03:28:22*02:00", "2026-02-30T00:00:00Z",
    ])
    func anythingElseIsNot(_ text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }
}

@Suite struct ReplacementTests {
    private static let upsert: JSONObject = ["reuseIdentifier": "x", "whenPresent": "replace"]

    private static func upsert(with name: String, _ value: JSON) -> JSONObject {
        var members = self.upsert
        members[name] = value
        return members
    }

    @Test(arguments: ["none", "identity", "equal"]) func itReplacesWhateverTheChannelDoes(_ rule: String) throws {
        var stage = try EngineScenario(["deduplication": .string(rule)])
        try stage.post("firing", .error, duration: "indefinite", at: 0, with: Self.upsert)
        let resolved = try stage.enqueue(
            "resolved",
            [
                "message": "resolved", "role": "success", "duration": 2, "reuseIdentifier": "x",
                "whenPresent": "replace",
            ],
            at: 9
        )
        #expect(!resolved.isNew)
        #expect(try stage.toast("firing").role == .success)
        try stage.run(until: 20)
        #expect(stage.order == ["firing"])
        #expect(stage.timeline.last == "11 dismissed firing timeout exit 0.35")
    }

    @Test func itFindsTheToastOfAnotherLane() throws {
        var stage = try EngineScenario(["lanes": "placement"])
        try stage.post("a", duration: 9, at: 0, with: Self.upsert)
        try stage.post("b", duration: 9, at: 1, with: Self.upsert(with: "placement", "bottom"))
        #expect(stage.screen == ["a"])
        #expect(try stage.toast("a").placement == .bottom)
    }

    @Test func withNothingToReplaceItIsNew() throws {
        var stage = try EngineScenario()
        try stage.post("a", duration: 1, at: 0, with: Self.upsert)
        try stage.post("b", duration: 1, at: 5, with: Self.upsert)
        #expect(stage.order == ["a", "b"])
    }

    @Test func aDelayedOneReplacesOnlyWhatWaits() throws {
        var stage = try EngineScenario()
        func at(_ seconds: Double) -> JSONObject {
            let time = JSON(writing: EngineScenario.start + Interval(seconds: seconds))
            return Self.upsert(with: "notBefore", time)
        }
        // A dead man's switch: the report that the job is late is put off each time the job reports.
        try stage.post("late", duration: 60, at: 0, with: at(10))
        try stage.post("still alive", duration: 60, at: 8, with: at(18))
        try stage.run(until: 17)
        #expect(stage.order == [])
        try stage.run(until: 18)
        #expect(stage.order == ["late"])
        try stage.post("back", duration: 60, at: 20, with: at(30))
        #expect(stage.screen == ["late"])
        #expect(stage.queue == ["back"])
    }

    @Test func itNeedsAnIdentifierAndIsNoMemberOfAToast() throws {
        #expect(try !ToastDraft(json: ["message": "m", "whenPresent": "replace"]).replacesPresent)
        #expect(throws: ValidationError.self) {
            try ToastDraft(json: ["message": "m", "reuseIdentifier": "x", "whenPresent": "add"])
        }
        let draft = try ToastDraft(json: ["message": "m", "reuseIdentifier": "x", "whenPresent": "replace"])
        var writer = JSONWriter()
        draft.writeRecord(to: &writer)
        #expect(try ToastDraft(record: try JSON(parsing: writer.bytes)) == draft)
        var stage = try EngineScenario()
        try stage.post("a", at: 0, with: Self.upsert)
        #expect(JSON(writing: try stage.toast("a"))["whenPresent"] == nil)
    }
}
