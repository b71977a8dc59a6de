import Testing
import ToastCore

/// Bugs of the systems with a single slot, Toaster, ToastUI and In-App, each as a test that the bug would fail.
@Suite struct SeedSlotBugTests {
    private func patch(_ stage: inout EngineScenario, _ name: String, _ json: JSON, at seconds: Double) throws {
        try stage.apply(.update(try stage.id(name), try ToastPatch(json: json), ifRevision: nil), at: seconds)
    }

    // MARK: - Toaster

    @Test func bug15ATimerOfAReplacedToastHitsNothing() throws {
        var stage = try EngineScenario(["preset": "toaster"])
        for (index, name) in ["a", "b", "c", "d"].enumerated() { try stage.post(name, duration: 2, at: Double(index)) }
        try stage.post("e", duration: 0, at: 4)
        try stage.run(until: 500)
        #expect(stage.screen == ["e"])
        #expect(stage.timeline.allSatisfy { !$0.contains("timeout") })
        #expect(stage.engine.nextDeadline == nil)
    }

    @Test func bug15ANewTimeTakesThePlaceOfTheOldOne() throws {
        var stage = try EngineScenario(["preset": "toaster"])
        try stage.post("a", duration: 3, at: 0)
        for seconds in [1.0, 2.0, 2.9] { try self.patch(&stage, "a", ["duration": 3], at: seconds) }
        try stage.run(until: 60)
        #expect(stage.shown == ["0 presented a for 3", "5.9 dismissed a timeout exit 0.35"])
    }

    @Test func bug15AnOrphanedTimerClosesNoLaterToast() throws {
        var stage = try EngineScenario(["preset": "toaster"])
        try stage.post("a", duration: 3, at: 0)
        try stage.apply(.dismiss(try stage.id("a"), .close), at: 1)
        try stage.post("b", duration: 0, at: 2)
        try stage.run(until: 60)
        #expect(stage.screen == ["b"])
    }

    // MARK: - ToastUI

    @Test func bug22AStaleTimeClosesNoReopenedToast() throws {
        var stage = try EngineScenario(["preset": "toastui"])
        try stage.post("a", duration: 2, at: 0)
        try stage.apply(.dismiss(try stage.id("a"), .close), at: 1)
        try stage.post("again", duration: 2, at: 1.5, with: ["message": "a"])
        try stage.run(until: 60)
        #expect(stage.shown.last == "3.5 dismissed again timeout exit 0.4")
    }

    @Test func bug23ARefusedToastIsNowhere() throws {
        var stage = try EngineScenario(["preset": "toastui"])
        try stage.post("a", at: 0)
        let before = stage.engine.snapshotState()
        #expect(throws: EngineError.self) { try stage.post("b", at: 0.5) }
        #expect(stage.engine.snapshotState() == before)
        #expect(throws: EngineError.toastNotFound) { try stage.apply(.dismiss(try stage.id("b"), .api), at: 0.6) }
        try stage.run(until: 60)
        #expect(stage.order == ["a"])
    }

    @Test func bug23ANewItemInAShownToastDismissesNothing() throws {
        var stage = try EngineScenario(["preset": "toastui"])
        try stage.post("a", duration: 5, at: 0)
        try self.patch(&stage, "a", ["message": "another item"], at: 1)
        #expect(stage.screen == ["a"])
        #expect(try stage.toast("a").message == .raw("another item"))
        try stage.run(until: 60)
        #expect(stage.shown == ["0 presented a for 5", "5 dismissed a timeout exit 0.4"])
    }

    @Test(arguments: QueueMode.allCases)
    func bug24EachToastIsDismissedOnceAndOnlyIfItWasAccepted(mode: QueueMode) throws {
        var stage = try EngineScenario(["mode": .string(mode.rawValue), "maxVisible": 2])
        for number in 0..<12 {
            do { try stage.post("\(number)", at: Double(number) * 0.3) } catch is EngineError {}
            if number % 3 == 0, let shown = stage.screen.first {
                let id = try stage.id(shown)
                for reason in [DismissReason.swipe, .close, .api] {
                    try stage.apply(.dismiss(id, reason), at: Double(number) * 0.3 + 0.1)
                }
            }
        }
        try stage.run(until: 200)
        func names(_ type: String) -> [String] {
            stage.timeline.filter { $0.contains(" \(type) ") }.map { String($0.split(separator: " ")[2]) }
        }
        #expect(names("dismissed").sorted() == names("enqueued").sorted())
        #expect(Set(names("presented")).isSubset(of: names("dismissed")))
    }

    @Test(arguments: QueueMode.allCases)
    func bug25ATimeCountsInEveryModeAndEverywhere(mode: QueueMode) throws {
        for lanes in Lanes.allCases {
            for placement in Placement.allCases {
                var stage = try EngineScenario(["mode": .string(mode.rawValue), "lanes": .string(lanes.rawValue)])
                try stage.post("a", duration: 2, at: 0, with: ["placement": .string(placement.rawValue)])
                try stage.run(until: 60)
                #expect(stage.shown.count == 2)
                #expect(stage.shown.last == "\(mode == .stack ? "2.35" : "2") dismissed a timeout exit 0.35")
            }
        }
    }

    @Test func bug26DimmingIsDataAndBlocksNothing() throws {
        func timeline(dims: Bool) throws -> [String] {
            var stage = try EngineScenario(["mode": "stack", "lanes": "placement"])
            let actions: JSON = [["id": "ok", "title": "OK"]]
            let members: JSONObject = ["dimsBackground": .bool(dims), "placement": "center", "actions": actions]
            try stage.post("dim", duration: 5, at: 0, with: members)
            try stage.post("top", at: 1, with: ["actions": actions])
            try stage.apply(.act(try stage.id("top"), action: "ok"), at: 1.5)
            try stage.post("center", at: 2, with: ["placement": "center"])
            try stage.run(until: 60)
            return stage.timeline
        }
        #expect(try timeline(dims: true) == timeline(dims: false))
    }

    @Test(arguments: [(-3.0, 0.0), (0, 0), (7.5, 4), (4, 4)])
    func bug27ProgressIsClampedWhenItIsSentAndWhenItIsPatched(value: Double, clamped: Double) throws {
        var stage = try EngineScenario()
        let progress: JSON = ["value": .double(value), "total": 4]
        try stage.post("a", at: 0, with: ["progress": progress])
        #expect(try stage.toast("a").progress == .determinate(value: clamped, total: 4))
        try stage.post("b", at: 0, with: ["progress": ["value": 1, "total": 4]])
        try self.patch(&stage, "b", ["progress": ["value": .double(value)]], at: 0)
        #expect(try stage.toast("b").progress == .determinate(value: clamped, total: 4))
    }

    @Test func bug27WhatIsPastTheTotalIsComplete() throws {
        var stage = try EngineScenario()
        try stage.post("a", duration: 0, at: 0, with: ["progress": ["value": 9, "total": 4, "dismissAfter": 1]])
        try stage.run(until: 9)
        #expect(stage.shown == ["0 presented a for 1", "1 dismissed a completed exit 0.35"])
    }

    @Test func bug29OneToastIsOnePerChannelWhateverItsKind() throws {
        var stage = try EngineScenario(["preset": "toastui"])
        try stage.post("a", at: 0)
        for style in ["glass", "retro", "my-own"] {
            #expect(throws: EngineError.self) { try stage.post(style, at: 0.5, with: ["style": .string(style)]) }
        }
        // Another placement does not help.
        for place in ["top", "bottom"] {
            #expect(throws: EngineError.self) { try stage.post(place, at: 0.5, with: ["placement": .string(place)]) }
        }
        #expect(stage.screen == ["a"])
        #expect(stage.queue.isEmpty)
    }

    // MARK: - In-App

    @Test func bug40ATimerBelongsToAToastAndNotToItsTitle() throws {
        var stage = try EngineScenario(["preset": "inapp"])
        try stage.post("first", duration: .null, at: 0, with: ["title": "Same"])
        try stage.post("second", duration: .null, at: 2, with: ["title": "Same"])
        try stage.run(until: 4.9)
        #expect(stage.screen == ["second"])
        try stage.apply(.dismiss(try stage.id("second"), .tap), at: 4.9)
        try stage.post("third", duration: .null, at: 5.4, with: ["title": "Same"])
        try stage.run(until: 60)
        #expect(stage.shown.last == "8.4 dismissed third timeout exit 0.4")
    }

    @Test func bug41AReplacementIsTwoEventsOfOneInstant() throws {
        var stage = try EngineScenario(["preset": "inapp"])
        try stage.post("a", at: 0)
        try stage.post("b", at: 0.5)
        let last = stage.events.suffix(2)
        #expect(Set(last.map(\.at)) == [EngineScenario.start + Interval(seconds: 0.5)])
        #expect(last.map(\.type) == [.dismissed, .presented])
        let replaced = Event.Kind.dismissed(try stage.id("a"), reason: .replaced, action: nil, exit: .zero, data: nil)
        #expect(last.first?.kind == replaced)
    }
}
