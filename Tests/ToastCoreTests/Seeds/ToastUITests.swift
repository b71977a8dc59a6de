import Testing
import ToastCore

/// ToastUI's single slot: a toast refuses others while it is there; the scenarios of its sample.
@Suite struct ToastUITests {
    private var stage: EngineScenario

    init() throws {
        self.stage = try EngineScenario(["preset": "toastui"])
    }

    @Test mutating func aToastStaysUntilItIsDismissed() throws {
        try self.stage.post("a", duration: .null, at: 0)
        try self.stage.run(until: 5000)
        #expect(self.stage.screen == ["a"])
    }

    @Test mutating func aSecondOneIsRefusedAndNamesTheFirst() throws {
        try self.stage.post("a", duration: .null, at: 0)
        let id = try self.stage.id("a")
        #expect(throws: EngineError.toastAlreadyPresented(id)) { try self.stage.post("b", at: 1) }
        try self.stage.apply(.dismiss(id, .api), at: 2)
        try self.stage.post("c", at: 2.1)
        let next = try self.stage.id("c")
        #expect(throws: EngineError.toastAlreadyPresented(next)) { try self.stage.post("d", at: 2.2) }
        try self.stage.run(until: 3)
        #expect(self.stage.order == ["a", "c"])
    }

    @Test mutating func aToastWaitsForAnAudienceAndRefusesOthersMeanwhile() throws {
        try self.stage.apply(.audience(.none), at: 0)
        try self.stage.post("a", at: 0)
        #expect(throws: EngineError.self) { try self.stage.post("b", at: 1) }
        try self.stage.apply(.audience(Audience(isAttached: true)), at: 59)
        #expect(self.stage.screen == ["a"])
    }

    @Test mutating func ofABatchOneIsTooMany() throws {
        #expect(throws: EngineError.self) { try self.stage.post(["a", "b"], at: 0) }
        #expect(self.stage.events.filter { $0.type == .enqueued } == [])
        let lanes: JSON = ["preset": "toastui", "lanes": "placement"]
        try self.stage.apply(.configure(try Settings(json: lanes)), at: 0)
        try self.stage.post("top", at: 1, with: ["placement": "top"])
        try self.stage.post("bottom", at: 1, with: ["placement": "bottom"])
        #expect(self.stage.screen == ["top", "bottom"])
    }

    /// The sample's progress: steps until it is complete, 0.3 s more, and then a toast of two seconds, opened from
    /// the first one's dismissal.
    @Test mutating func progressThenSuccess() throws {
        try self.stage.post(
            "work",
            duration: .null,
            at: 0,
            with: ["progress": ["value": 0, "dismissAfter": 0.3]]
        )
        for (value, seconds) in [(0.2, 0.5), (0.45, 1.0), (0.7, 1.5), (5.0, 2.0)] {
            try self.stage.apply(
                .update(
                    try self.stage.id("work"),
                    try ToastPatch(json: ["progress": ["value": .double(value)]]),
                    ifRevision: nil
                ),
                at: seconds
            )
        }
        try self.stage.run(until: 2.3)
        #expect(try self.stage.toast("work").dismissReason == .completed)
        try self.stage.post("done", .success, duration: 2, at: 2.3)
        try self.stage.run(until: 20)
        #expect(
            self.stage.timeline.dropFirst(5) == [
                "2 updated work progress for 0.3", "2.3 dismissed work completed exit 0.4", "2.3 enqueued done",
                "2.7 presented done for 2", "4.7 dismissed done timeout exit 0.4",
            ]
        )
    }

    @Test mutating func anItemToastShowsOneItemAfterTheOther() throws {
        for (index, item) in ["one", "two"].enumerated() {
            try self.stage.post(item, duration: .null, at: Double(index) * 10)
            try self.stage.apply(.dismiss(try self.stage.id(item), .api), at: Double(index) * 10 + 5)
        }
        #expect(self.stage.order == ["one", "two"])
    }
}
