import TestSupport
import Testing
@testable import ToastCore

/// Bugs of the seeds' sources (`docs/engine.md`), each as a test that the bug would fail.
@Suite struct SeedBugTests {
    @Test func bug1WhatIsPostedInThePauseWaitsItsTurn() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b"], at: 0)
        try stage.post("c", at: 1.45)
        #expect(stage.screen.isEmpty)
        #expect(stage.queue == ["b", "c"])
        try stage.run(until: 20)
        #expect(stage.order == ["a", "b", "c"])
    }

    @Test func bug1AnIndefiniteToastPostedInThePauseIsNotOverwritten() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b"], at: 0)
        try stage.post("c", duration: 0, at: 1.4)
        try stage.run(until: 60)
        #expect(stage.order == ["a", "b", "c"])
        #expect(stage.screen == ["c"])
    }

    @Test func bug1TheExitIsBusyToo() throws {
        var stage = try EngineScenario(.priority)
        try stage.post(["a", "b"], at: 0)
        try stage.post("c", .error, at: 1.2)
        #expect(stage.screen.isEmpty)
        try stage.run(until: 20)
        #expect(stage.order == ["a", "c", "b"])
    }

    @Test(arguments: [1.0, 1.1, 1.3, 1.5])
    func bug2ASecondDismissalAdvancesNothing(second: Double) throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b", "c"], duration: 5, at: 0)
        try stage.apply(.dismiss(try stage.id("a"), .swipe), at: 1)
        try stage.apply(.dismiss(try stage.id("a"), .close), at: second)
        try stage.run(until: 1.6)
        #expect(stage.screen == ["b"])
        try stage.run(until: 60)
        #expect(
            stage.shown.dropFirst() == [
                "1 dismissed a swipe exit 0.35", "1.55 presented b for 5", "6.55 dismissed b timeout exit 0.35",
                "7.1 presented c for 5", "12.1 dismissed c timeout exit 0.35",
            ]
        )
    }

    @Test func bug3AFastStreamNeverStarvesTheScreen() throws {
        var stage = try EngineScenario(.replaceAll)
        for post in 0..<60 { try stage.post("t\(post)", duration: 5, at: Double(post) * 0.05) }
        try stage.run(until: 4)
        let (gaps, last) = stage.events.reduce(into: (gaps: [Interval](), left: EngineScenario.start)) {
            result,
            event in
            switch event.kind {
            case .presented: result.gaps.append(event.at - result.left)
            case .dismissed(_, _, _, let exit, _) where exit > .zero: result.left = event.at
            default: break
            }
        }
        #expect(gaps.count == 10)
        #expect(gaps.allSatisfy { $0 <= Interval(seconds: 0.35) })
        #expect(last < EngineScenario.start + Interval(seconds: 3))
        #expect(stage.screen == ["t59"])
    }

    @Test func bug3AReplacementDuringTheExitWaitsForThisExitOnly() throws {
        var stage = try EngineScenario(.replaceAll)
        try stage.post("a", duration: 5, at: 0)
        try stage.post("b", at: 1)
        try stage.post("c", at: 1.3)
        try stage.run(until: 2)
        #expect(
            stage.shown == [
                "0 presented a for 5", "1 dismissed a replaced exit 0.35", "1.3 dismissed b replaced",
                "1.35 presented c for 1",
            ]
        )
    }

    @Test func bug4NoTimerOfAnEarlierToastHitsAnIndefiniteOne() throws {
        var stage = try EngineScenario()
        try stage.post("a", duration: 2, at: 0)
        try stage.post("b", duration: 0, at: 0)
        try stage.apply(.dismiss(try stage.id("a"), .swipe), at: 0.5)
        try stage.run(until: 100)
        #expect(stage.screen == ["b"])
        #expect(stage.engine.nextDeadline == nil)
    }

    @Test func bug4AnUpdateToIndefiniteEndsTheCountdown() throws {
        var stage = try EngineScenario()
        try stage.post("a", duration: 2, at: 0)
        try stage.apply(.update(try stage.id("a"), try ToastPatch(json: ["duration": 0]), ifRevision: nil), at: 1)
        try stage.run(until: 100)
        #expect(stage.screen == ["a"])
    }

    @Test func bug5ToastBeforeChannelBeforeServer() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post("server", at: 0)
        try stage.apply(.configure(try Settings(json: ["style": "pale", "placement": "bottom"])), at: 1)
        try stage.post("channel", at: 1)
        try stage.post("toast", at: 1, with: ["style": "retro", "placement": "center"])
        let looks = try ["server", "channel", "toast"].map { try stage.toast($0).style.rawValue }
        #expect(looks == ["glass", "pale", "retro"])
        let places = try ["server", "channel", "toast"].map { try stage.toast($0).placement }
        #expect(places == [.top, .bottom, .center])
    }

    @Test func bug11AnActionIsRecordedOnce() throws {
        var stage = try EngineScenario()
        try stage.post("a", duration: 9, at: 0, with: ["actions": [["id": "undo", "title": "Undo"]]])
        try stage.post("b", at: 0)
        for seconds in [1, 1, 1.2, 1.5, 3] {
            try stage.apply(.act(try stage.id("a"), action: "undo"), at: seconds)
        }
        #expect(stage.timeline.filter { $0.contains("acted") } == ["1 acted a undo"])
        #expect(stage.shown.filter { $0.contains("dismissed a") }.count == 1)
        #expect(stage.order == ["a", "b"])
    }

    @Test func bug12WhatIsShownAndWhatWaitsCanBeDismissedAndIsReported() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b", "c"], duration: 0, at: 0)
        try stage.apply(.dismiss(try stage.id("b"), .api), at: 1)
        try stage.apply(.dismiss(try stage.id("a"), .api), at: 2)
        try stage.run(until: 9)
        #expect(stage.shown.dropFirst() == ["1 dismissed b api", "2 dismissed a api exit 0.35", "2.55 presented c"])
    }

    @Test func bug12AQueueHasABoundAndKeepsWhatItHas() throws {
        var stage = try EngineScenario(isAttached: false)
        for hundred in 0..<10 { try stage.post((0..<100).map { "\(hundred * 100 + $0)" }, at: 0) }
        #expect(throws: EngineError.queueFull(capacity: 1000)) { try stage.post("one more", at: 0) }
        #expect(stage.queue == (0..<1000).map(String.init))
    }

    @Test func bug13OrderWithinARoleDoesNotDependOnTheSort() throws {
        var stage = try EngineScenario(.priority, isAttached: false)
        var generator = SplitMix64(seed: 13)
        var posted: [Role: [String]] = [:]
        for number in 0..<300 {
            let role = try #require(Role.allCases.randomElement(using: &generator))
            try stage.post("\(number)", role, at: 0)
            posted[role, default: []].append("\(number)")
        }
        let expected = [Role.error, .warning, .success, .info].flatMap { posted[$0] ?? [] }
        #expect(stage.queue == expected)
        try stage.apply(.configure(Settings()), at: 1)
        #expect(stage.queue == (0..<300).map(String.init))
        try stage.apply(.configure(try Settings(json: ["mode": "priority"])), at: 2)
        #expect(stage.queue == expected)
    }

    @Test(arguments: [QueueMode.replace, .replaceAll])
    func bug14WhatAHandDidToOneToastDoesNothingToTheNext(mode: QueueMode) throws {
        var stage = try EngineScenario(mode)
        try stage.post("a", duration: 2, at: 0)
        let a = try stage.id("a")
        try stage.apply(.hold(a, holder: "finger", lease: Interval(seconds: 30)), at: 1)
        try stage.post("b", duration: 2, at: 1)
        try stage.run(until: 1.5)
        #expect(stage.screen == ["b"])
        #expect(stage.engine.slot(try stage.id("b"))?.holds.isEmpty == true)
        #expect(throws: EngineError.toastDismissed) {
            try stage.apply(.hold(a, holder: "finger", lease: .zero), at: 1.6)
        }
        try stage.apply(.release(a, holder: "finger"), at: 1.7)
        try stage.apply(.dismiss(a, .swipe), at: 1.8)
        #expect(stage.screen == ["b"])
        try stage.run(until: 60)
        #expect(stage.shown.last?.hasPrefix("\(mode == .replace ? "3" : "3.35") dismissed b timeout") == true)
    }
}
