import TestSupport
import Testing
import ToastCore

@Suite struct ReplaceTests {
    @Test func withoutAnAudienceTheNewestWaitsAndTheShownOneRunsOut() throws {
        var stage = try EngineScenario(.replace)
        try stage.post("a", duration: 5, at: 0)
        try stage.apply(.audience(.none), at: 1)
        try stage.post("b", at: 2)
        try stage.post("c", at: 3)
        #expect(stage.screen == ["a"])
        #expect(stage.queue == ["c"])
        try stage.apply(.audience(Audience(isAttached: true)), at: 4)
        #expect(
            stage.shown.dropFirst() == ["3 dismissed b replaced", "4 dismissed a replaced", "4 presented c for 1"]
        )
    }

    @Test func aDismissalNeedsItsExitButNoPause() throws {
        var stage = try EngineScenario(.replace)
        try stage.post("a", duration: 5, at: 0)
        try stage.apply(.dismiss(try stage.id("a"), .close), at: 1)
        try stage.post(["b", "c"], at: 1.1)
        try stage.post("d", at: 1.2)
        try stage.run(until: 2)
        #expect(stage.order == ["a", "d"])
        #expect(stage.shown.last == "1.35 presented d for 1")
    }

    @Test func aHoldIsNoReasonToStay() throws {
        var stage = try EngineScenario(.replace)
        try stage.post("a", at: 0)
        try stage.apply(.hold(try stage.id("a"), holder: "v", lease: Interval(seconds: 30)), at: 0.5)
        try stage.post("b", at: 1)
        #expect(stage.screen == ["b"])
    }

    @Test func aRefreshedToastIsNewerThanWhatWaits() throws {
        var stage = try EngineScenario(["mode": "replace", "deduplication": "identity"])
        try stage.post("a", duration: 9, at: 0)
        try stage.apply(.audience(.none), at: 1)
        try stage.post("b", at: 2)
        try stage.post("again", duration: 9, at: 3, with: ["message": "a"])
        #expect(stage.queue == [])
        #expect(stage.timeline.suffix(2) == ["3 updated a moved for 9", "3 dismissed b replaced"])
    }
}

/// A batch of which only the newest toast stays ends more toasts than a channel remembers.
@Suite struct LargeBatchTests {
    private func batch(_ count: Int, seed: UInt64) throws -> [NewToast] {
        var generator = SplitMix64(seed: seed)
        return try (0..<count).map { number in
            let id = ToastID(at: EngineScenario.start, using: &generator)
            return NewToast(id: id, draft: try ToastDraft(message: "\(number)"))
        }
    }

    @Test(arguments: [QueueMode.replace, .replaceAll])
    func `the publisher of a batch is told of all its toasts, in order`(mode: QueueMode) throws {
        var stage = try EngineScenario(mode)
        let batch = try self.batch(200, seed: 3)
        let toasts = try stage.publish(batch, at: 0).toasts
        #expect(toasts.map(\.id) == batch.map(\.id))
        #expect(toasts.last?.state == .presented)
        #expect(toasts.dropLast().allSatisfy { $0.state == .dismissed && $0.dismissReason == .replaced })
        #expect(toasts.dropLast().allSatisfy { $0.dismissedAt == EngineScenario.start })
        #expect(stage.engine.dismissed.count == Engine.maximumHistory)
    }

    @Test func `a toast that is sent again and forgotten at once is answered as it ended`() throws {
        var stage = try EngineScenario(.replace)
        try stage.publish(try self.batch(200, seed: 3), at: 0)
        let oldest = try #require(stage.engine.dismissed.last)
        let again = NewToast(id: oldest.id, draft: try ToastDraft(message: "again"))
        let publication = try stage.publish([again] + self.batch(1, seed: 4), at: 0.5)
        #expect(stage.engine.toast(oldest.id) == nil)
        #expect(publication.toasts.first == oldest)
        #expect(publication.toasts.count == 2)
        #expect(publication.known == [oldest.id])
    }
}

@Suite struct ConfigurationOfModesTests {
    private func configure(_ stage: inout EngineScenario, _ json: JSON, at seconds: Double) throws {
        try stage.apply(.configure(try Settings(json: json)), at: seconds)
    }

    @Test func whatIsShownStaysWhenThereIsNoLongerRoomForIt() throws {
        var stage = try EngineScenario(["mode": "stack", "maxVisible": 3])
        try stage.post(["a", "b", "c", "d"], duration: 4, at: 0)
        try self.configure(&stage, ["mode": "stack", "maxVisible": 1], at: 1)
        #expect(stage.screen == ["a", "b", "c"])
        try self.configure(&stage, ["mode": "fifo"], at: 2)
        try stage.run(until: 20)
        #expect(stage.shown.contains("4.35 dismissed c timeout exit 0.35"))
        #expect(stage.shown.contains("4.9 presented d for 4"))
    }

    @Test func moreRoomIsUsedAtOnce() throws {
        var stage = try EngineScenario(["mode": "stack", "maxVisible": 1])
        try stage.post(["a", "b", "c"], at: 0)
        try self.configure(&stage, ["mode": "stack", "maxVisible": 3], at: 0.5)
        #expect(stage.screen == ["a", "b", "c"])
    }

    @Test func ofAStackThatBecomesReplaceTheNewestWaitingTakesTheWholePlace() throws {
        var stage = try EngineScenario(["mode": "stack", "maxVisible": 2])
        try stage.post(["a", "b", "c", "d"], at: 0)
        try self.configure(&stage, ["mode": "replace"], at: 0.5)
        #expect(
            stage.shown.suffix(4) == [
                "0.5 dismissed c replaced", "0.5 dismissed a replaced", "0.5 dismissed b replaced",
                "0.5 presented d for 1",
            ]
        )
    }

    @Test func rejectKeepsWhatWaitsAndRefusesWhatComes() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b"], at: 0)
        try self.configure(&stage, ["mode": "reject"], at: 0.5)
        #expect(throws: EngineError.toastAlreadyPresented(try stage.id("a"))) { try stage.post("c", at: 0.6) }
        try stage.run(until: 20)
        #expect(stage.order == ["a", "b"])
    }

    @Test func lanesDivideWhatWaitsAndWhatIsShown() throws {
        var stage = try EngineScenario()
        try stage.post("top", at: 0)
        try stage.post("bottom", at: 0, with: ["placement": "bottom"])
        try stage.post("top 2", at: 0)
        try self.configure(&stage, ["lanes": "placement"], at: 0.5)
        #expect(stage.screen == ["top", "bottom"])
        try self.configure(&stage, ["lanes": "shared"], at: 0.6)
        #expect(stage.screen == ["top", "bottom"])
        try stage.run(until: 20)
        #expect(stage.shown.contains("1.5 dismissed bottom timeout exit 0.35"))
        #expect(stage.shown.contains("2.05 presented top 2 for 1"))
    }

    @Test func anExitStaysBusyWhenTheLanesChange() throws {
        var stage = try EngineScenario()
        try stage.post("a", at: 0)
        try stage.apply(.dismiss(try stage.id("a"), .close), at: 0.5)
        try self.configure(&stage, ["lanes": "placement"], at: 0.6)
        try stage.post("b", at: 0.7, with: ["placement": "bottom"])
        try stage.run(until: 2)
        #expect(stage.shown.last == "1.05 presented b for 1")
    }
}

@Suite struct LaneTests {
    @Test func lanesHaveQueuesExitsAndPausesOfTheirOwn() throws {
        var stage = try EngineScenario(["lanes": "placement"])
        try stage.post(["a", "b"], at: 0)
        try stage.post(["c", "d"], duration: 2, at: 0.2, with: ["placement": "bottom"])
        try stage.run(until: 9)
        #expect(
            stage.shown == [
                "0 presented a for 1", "0.2 presented c for 2", "1 dismissed a timeout exit 0.35",
                "1.55 presented b for 1", "2.2 dismissed c timeout exit 0.35", "2.55 dismissed b timeout exit 0.35",
                "2.75 presented d for 2", "4.75 dismissed d timeout exit 0.35",
            ]
        )
    }

    @Test func aShownToastStaysInItsLaneAndAWaitingOneChangesIt() throws {
        var stage = try EngineScenario(["lanes": "placement"])
        try stage.post(["a", "b"], at: 0)
        let patch = try ToastPatch(json: ["placement": "bottom"])
        try stage.apply(.update(try stage.id("a"), patch, ifRevision: nil), at: 0.2)
        #expect(stage.screen == ["a"])
        try stage.apply(.update(try stage.id("b"), patch, ifRevision: nil), at: 0.3)
        #expect(stage.screen == ["a", "b"])
        try stage.post("c", at: 0.4)
        #expect(stage.queue == ["c"])
    }

    @Test func capacityCountsAllLanes() throws {
        var stage = try EngineScenario(["lanes": "placement", "capacity": 2], isAttached: false)
        try stage.post("a", at: 0)
        try stage.post("b", at: 0, with: ["placement": "bottom"])
        #expect(throws: EngineError.queueFull(capacity: 2)) {
            try stage.post("c", at: 0, with: ["placement": "center"])
        }
    }
}
