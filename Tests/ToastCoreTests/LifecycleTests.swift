import TestSupport
import Testing
import ToastCore

@Suite struct DismissalTests {
    @Test func theFirstDismissalCounts() throws {
        var stage = try EngineScenario()
        try stage.post("a", duration: 9, at: 0)
        try stage.apply(.dismiss(try stage.id("a"), .swipe), at: 1)
        try stage.apply(.dismiss(try stage.id("a"), .api), at: 1)
        try stage.apply(.dismiss(try stage.id("a"), .close), at: 50)
        #expect(stage.shown == ["0 presented a for 9", "1 dismissed a swipe exit 0.35"])
        #expect(try stage.toast("a").dismissReason == .swipe)
        #expect(try stage.toast("a").state == .dismissed)
    }

    @Test func whatWaitsIsDismissedAtOnce() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b", "c"], at: 0)
        try stage.apply(.dismiss(try stage.id("b"), .api), at: 0.1)
        try stage.run(until: 9)
        #expect(stage.shown.contains("0.1 dismissed b api"))
        #expect(stage.order == ["a", "c"])
    }

    @Test func clearEmptiesScreenAndQueue() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b", "c"], at: 0)
        try stage.apply(.clear, at: 0.5)
        #expect(
            stage.shown.dropFirst() == [
                "0.5 dismissed a cleared exit 0.35", "0.5 dismissed b cleared", "0.5 dismissed c cleared",
            ]
        )
        #expect(stage.engine.presented.isEmpty && stage.engine.queueLength == 0)
        try stage.post("d", at: 0.6)
        try stage.run(until: 2)
        #expect(stage.shown.last == "1.05 presented d for 1")
    }

    @Test func anUnknownToastIsNotFound() throws {
        var stage = try EngineScenario()
        var generator = SplitMix64(seed: 1)
        let id = ToastID(at: EngineScenario.start, using: &generator)
        let patch = try ToastPatch(json: [:])
        let commands: [Command] = [
            .dismiss(id, .api), .act(id, action: "x"), .hold(id, holder: "v", lease: .zero), .release(id, holder: "v"),
            .update(id, patch, ifRevision: nil),
        ]
        for command in commands {
            #expect(throws: EngineError.toastNotFound) { try stage.apply(command, at: 1) }
        }
    }

    @Test func theLastHundredAreRemembered() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post((0..<150).map { "t\($0)" }, at: 0)
        try stage.apply(.clear, at: 1)
        #expect(stage.engine.dismissed.count == Engine.maximumHistory)
        #expect(stage.engine.dismissed.first?.id == (try stage.id("t149")))
        #expect(stage.engine.toast(try stage.id("t49")) == nil)
        #expect(stage.engine.toast(try stage.id("t50")) != nil)
    }
}

@Suite struct ActionTests {
    private var stage: EngineScenario

    init() throws {
        self.stage = try EngineScenario()
        let actions: JSON = [["id": "undo", "title": "Undo"], ["id": "keep", "title": "Keep"]]
        try self.stage.post("a", duration: 9, at: 0, with: ["actions": actions, "data": ["order": 7]])
        try self.stage.post("b", at: 0, with: ["actions": actions])
    }

    @Test mutating func anActionIsRecordedAndDismisses() throws {
        try self.stage.apply(.act(try self.stage.id("a"), action: "undo"), at: 1)
        #expect(self.stage.timeline.suffix(2) == ["1 acted a undo", "1 dismissed a action exit 0.35"])
        #expect(try self.stage.toast("a").action == "undo")
        #expect(try self.stage.toast("a").dismissReason == .action)
        let data = self.stage.events.suffix(2).map { event -> JSON? in
            switch event.kind {
            case .acted(_, _, let data), .dismissed(_, _, _, _, let data): data
            default: nil
            }
        }
        #expect(data == [["order": 7], ["order": 7]])
    }

    @Test mutating func anotherActionComesTooLate() throws {
        try self.stage.apply(.act(try self.stage.id("a"), action: "undo"), at: 1)
        #expect(throws: EngineError.toastDismissed) {
            try self.stage.apply(.act(try self.stage.id("a"), action: "keep"), at: 1)
        }
    }

    @Test mutating func anActionMustExistAndItsToastBeShown() throws {
        let (a, b) = (try self.stage.id("a"), try self.stage.id("b"))
        #expect(throws: EngineError.actionNotFound) { try self.stage.apply(.act(a, action: "no"), at: 1) }
        #expect(throws: EngineError.toastNotPresented) { try self.stage.apply(.act(b, action: "undo"), at: 1) }
        try self.stage.apply(.dismiss(a, .close), at: 1)
        #expect(throws: EngineError.toastDismissed) { try self.stage.apply(.act(a, action: "undo"), at: 1) }
    }

    @Test mutating func aPressAfterTheTimeIsOverIsRefusedAndChangesNothing() throws {
        let before = self.stage.engine.snapshotState()
        #expect(throws: EngineError.toastDismissed) {
            try self.stage.applyLate(.act(try self.stage.id("a"), action: "undo"), at: 100)
        }
        #expect(self.stage.engine.snapshotState() == before)
        try self.stage.tickLate(at: 100)
        #expect(self.stage.shown.contains("9 dismissed a timeout exit 0.35"))
    }
}

@Suite struct CapacityTests {
    @Test func aFullQueueRefusesAllOrNothing() throws {
        var stage = try EngineScenario(capacity: 3)
        try stage.post(["a", "b", "c"], at: 0)
        #expect(stage.queue == ["b", "c"])
        #expect(throws: EngineError.queueFull(capacity: 3)) { try stage.post(["d", "e"], at: 0) }
        #expect(stage.queue == ["b", "c"])
        try stage.post("f", at: 0)
        #expect(throws: EngineError.queueFull(capacity: 3)) { try stage.post("g", at: 0) }
        try stage.run(until: 1.6)
        try stage.post("h", at: 1.6)
        #expect(stage.queue == ["c", "f", "h"])
    }

    @Test func aBatchThatNoQueueCanHoldIsToBeSplit() throws {
        var stage = try EngineScenario(isAttached: false, capacity: 2)
        #expect(throws: EngineError.batchTooLong(capacity: 2)) { try stage.post(["a", "b", "c"], at: 0) }
        #expect(stage.queue == [])
    }

    @Test func aBatchThatAnEmptyQueueCouldHoldMayBeRepeated() throws {
        var stage = try EngineScenario(["deduplication": "identity", "capacity": 2], isAttached: false)
        try stage.post("first", at: 0)
        #expect(throws: EngineError.queueFull(capacity: 2)) { try stage.post(["a", "a", "b"], at: 1) }
    }

    @Test func aQueueHoldsNoMoreThanTheServerLetsIt() throws {
        var stage = try EngineScenario(isAttached: false, capacity: 9)
        stage.engine.queueLimit = 2
        try stage.post(["a", "b"], at: 0)
        #expect(throws: EngineError.queueFull(capacity: 2)) { try stage.post("c", at: 0) }
        stage.engine.queueLimit = 3
        try stage.post("c", at: 0)
        #expect(stage.queue == ["a", "b", "c"])
    }

    @Test func replaceAllIsNeverFull() throws {
        var stage = try EngineScenario(.replaceAll, isAttached: false, capacity: 1)
        try stage.post(["a", "b", "c"], at: 0)
        try stage.post("d", at: 1)
        #expect(stage.queue == ["d"])
    }

    @Test func aLowerCapacityDropsNothing() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post(["a", "b", "c"], at: 0)
        try stage.apply(.configure(try Settings(json: ["capacity": 1])), at: 1)
        #expect(stage.queue == ["a", "b", "c"])
        #expect(throws: EngineError.queueFull(capacity: 1)) { try stage.post("d", at: 1) }
    }

    @Test func aToastThatIsThereIsNotEnqueuedTwice() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post("a", at: 0)
        let again = NewToast(id: try stage.id("a"), draft: try ToastDraft(message: "other"))
        try stage.publish([again, again], at: 1)
        #expect(stage.queue == ["a"])
        #expect(try stage.toast("a").message == .raw("a"))
    }
}
