import Testing
import ToastCore

@Suite struct TimingTests {
    @Test func aSlotIsDurationExitAndPause() throws {
        var stage = try EngineScenario(.fifo)
        try stage.post(["a", "b", "c"], at: 0)
        try stage.run(until: 10)
        #expect(
            stage.shown == [
                "0 presented a for 1", "1 dismissed a timeout exit 0.35", "1.55 presented b for 1",
                "2.55 dismissed b timeout exit 0.35", "3.1 presented c for 1", "4.1 dismissed c timeout exit 0.35",
            ]
        )
        #expect(stage.engine.nextDeadline == nil)
    }

    @Test func anIndefiniteToastStaysUntilItIsDismissed() throws {
        var stage = try EngineScenario()
        try stage.post("a", duration: "indefinite", at: 0)
        try stage.post("b", duration: 0, at: 1)
        try stage.apply(.dismiss(try stage.id("a"), .close), at: 5000)
        try stage.run(until: 9999)
        #expect(stage.shown == ["0 presented a", "5000 dismissed a close exit 0.35", "5000.55 presented b"])
    }

    @Test func replaceAllHasNoPause() throws {
        var stage = try EngineScenario(.replaceAll)
        try stage.post("a", duration: 5, at: 0)
        try stage.post("b", at: 1)
        try stage.run(until: 10)
        #expect(
            stage.shown == [
                "0 presented a for 5", "1 dismissed a replaced exit 0.35", "1.35 presented b for 1",
                "2.35 dismissed b timeout exit 0.35",
            ]
        )
    }

    @Test func replaceAllKeepsOnlyTheNewestOfABatch() throws {
        var stage = try EngineScenario(.replaceAll)
        try stage.post("a", duration: 5, at: 0)
        try stage.post(["b", "c", "d"], at: 1)
        #expect(stage.queue == ["d"])
        try stage.run(until: 2)
        #expect(stage.order == ["a", "d"])
        #expect(try stage.toast("b").dismissReason == .replaced)
    }

    @Test func aLateTickDismissesOnTimeAndPresentsNow() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b"], at: 0)
        try stage.tickLate(at: 100)
        #expect(
            stage.shown == ["0 presented a for 1", "1 dismissed a timeout exit 0.35", "100 presented b for 1"]
        )
    }

    @Test func aClockThatStepsBackStandsStill() throws {
        var stage = try EngineScenario()
        try stage.post("a", at: 50)
        try stage.applyLate(.dismiss(try stage.id("a"), .close), at: 20)
        #expect(stage.shown.last == "50 dismissed a close exit 0.35")
    }

    @Test func everyInstantIsAWholeMillisecond() throws {
        var stage = try EngineScenario()
        try stage.post("a", duration: 0.0001, at: 0.000_999_9)
        #expect(stage.shown == ["0 presented a for 0.001"])
        try stage.post("b", duration: 1.2345, at: 2.001_5)
        #expect(stage.shown.last == "2.001 presented b for 1.235")
    }

    @Test func whatWaitsTooLongExpires() throws {
        var stage = try EngineScenario()
        try stage.post("a", duration: 10, at: 0)
        try stage.post("b", at: 1, with: ["expiresAfter": 3])
        try stage.post("c", at: 1)
        try stage.run(until: 20)
        #expect(stage.shown.contains("4 dismissed b expired"))
        #expect(stage.order == ["a", "c"])
    }

    @Test func aDefaultExpiryOfTheChannelCounts() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.apply(.configure(try Settings(json: ["expiresAfter": 2])), at: 0)
        try stage.post("a", at: 0)
        try stage.post("b", at: 0, with: ["expiresAfter": 5])
        try stage.run(until: 10)
        #expect(stage.shown == ["2 dismissed a expired", "5 dismissed b expired"])
    }
}

@Suite struct AudienceTests {
    @Test func nothingIsPresentedWhileNobodyIsAttached() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post(["a", "b"], at: 0)
        #expect(stage.engine.nextDeadline == nil)
        try stage.apply(.audience(Audience(isAttached: true)), at: 60)
        #expect(stage.shown == ["60 presented a for 1"])
    }

    @Test func theClockOfWhatIsShownRunsOnWithoutAnAudience() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b"], at: 0)
        try stage.apply(.audience(.none), at: 0.5)
        try stage.run(until: 30)
        try stage.apply(.audience(Audience(isAttached: true)), at: 30)
        #expect(stage.shown == ["0 presented a for 1", "1 dismissed a timeout exit 0.35", "30 presented b for 1"])
    }

    @Test func onAttachWhatIsOverdueIsRunFirst() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b"], at: 0)
        try stage.apply(.audience(.none), at: 0.5)
        try stage.applyLate(.audience(Audience(isAttached: true)), at: 1.2)
        #expect(stage.shown == ["0 presented a for 1", "1 dismissed a timeout exit 0.35"])
        try stage.run(until: 2)
        #expect(stage.shown.last == "1.55 presented b for 1")
    }

    @Test func aChannelThatPresentsRegardlessDoes() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.apply(.configure(try Settings(json: ["whenUnattended": "present"])), at: 0)
        try stage.post(["a", "b"], at: 0)
        try stage.run(until: 9)
        #expect(stage.order == ["a", "b"])
    }

    @Test func anAssistiveAudienceHasHalfAsMuchTimeAgain() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.apply(.audience(Audience(isAttached: true, isAssistive: true)), at: 0)
        try stage.post("a", duration: "short", at: 0)
        try stage.post("b", duration: 0.333, at: 0)
        try stage.post("c", at: 0, with: ["requiresInteraction": true])
        try stage.run(until: 60)
        #expect(
            stage.shown.filter { $0.contains("presented") } == [
                "0 presented a for 3", "3.55 presented b for 0.5", "4.6 presented c",
            ]
        )
    }

    @Test func theTimeIsDecidedAtPresentation() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b"], duration: 2, at: 0)
        try stage.apply(.audience(Audience(isAttached: true, isAssistive: true)), at: 1)
        try stage.run(until: 10)
        #expect(stage.shown.contains("2 dismissed a timeout exit 0.35"))
        #expect(stage.shown.contains("2.55 presented b for 3"))
    }
}
