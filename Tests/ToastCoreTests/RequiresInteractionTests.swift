import Testing
import ToastCore

/// A toast that requires an interaction has no end, but only while an assistive viewer is attached.
@Suite struct RequiresInteractionTests {
    private var stage: EngineScenario

    init() throws {
        self.stage = try EngineScenario(isAttached: false)
        try self.stage.apply(.audience(Audience(isAttached: true, isAssistive: true)), at: 0)
        try self.stage.post("a", duration: 4, at: 0, with: ["requiresInteraction": true])
    }

    @Test mutating func `when the last assistive viewer leaves, the toast gets its normal time`() throws {
        try self.stage.apply(.audience(Audience(isAttached: true)), at: 100)
        try self.stage.run(until: 200)
        #expect(self.stage.timeline.contains("102 updated a for 2"))
        #expect(try self.stage.toast("a").revision == 1)
        #expect(self.stage.shown.last == "104 dismissed a timeout exit 0.35")
    }

    @Test mutating func `without the requirement it gets its normal time at once`() throws {
        let patch = try ToastPatch(json: ["requiresInteraction": false])
        try self.stage.apply(.update(try self.stage.id("a"), patch, ifRevision: nil), at: 10)
        #expect(self.stage.timeline.last == "10 updated a requiresInteraction for 6")
        try self.stage.run(until: 100)
        #expect(self.stage.screen == [])
    }

    @Test mutating func `a toast that loses the requirement ends although an assistive viewer may come back`() throws {
        try self.stage.apply(.audience(Audience(isAttached: true)), at: 10)
        let patch = try ToastPatch(json: ["requiresInteraction": false])
        try self.stage.apply(.update(try self.stage.id("a"), patch, ifRevision: nil), at: 11)
        try self.stage.run(until: 100)
        #expect(self.stage.shown.last == "15 dismissed a timeout exit 0.35")
    }

    @Test mutating func `a toast that gets the requirement has no end`() throws {
        try self.stage.apply(.dismiss(try self.stage.id("a"), .api), at: 1)
        try self.stage.post("b", duration: 4, at: 2)
        let patch = try ToastPatch(json: ["requiresInteraction": true])
        try self.stage.apply(.update(try self.stage.id("b"), patch, ifRevision: nil), at: 3)
        try self.stage.run(until: 1000)
        #expect(self.stage.screen == ["b"])
    }

    @Test mutating func `a toast gets its normal time also when no viewer is left`() throws {
        try self.stage.apply(.audience(.none), at: 100)
        try self.stage.run(until: 200)
        #expect(self.stage.shown.last == "104 dismissed a timeout exit 0.35")
    }

    @Test mutating func `a toast stays as long as one assistive viewer is there`() throws {
        try self.stage.apply(.audience(Audience(isAttached: true, isAssistive: true, scale: 2)), at: 100)
        try self.stage.run(until: 1000)
        #expect(self.stage.screen == ["a"])
    }

    @Test mutating func `when an assistive viewer comes back in time, the toast has no end again`() throws {
        try self.stage.apply(.audience(.none), at: 100)
        try self.stage.apply(.audience(Audience(isAttached: true, isAssistive: true)), at: 103)
        #expect(self.stage.timeline.suffix(2) == ["102 updated a for 2", "103 updated a"])
        try self.stage.run(until: 1000)
        #expect(self.stage.screen == ["a"])
    }

    @Test mutating func `an assistive viewer that comes back at once, as with long-polls, has not left`() throws {
        let count = self.stage.events.count
        for second in 1..<60 {
            try self.stage.apply(.audience(second % 2 == 0 ? .none : Audience(isAttached: true)), at: Double(second))
            let assistive = Audience(isAttached: true, isAssistive: true)
            try self.stage.apply(.audience(assistive), at: Double(second) + 0.9)
        }
        try self.stage.run(until: 1000)
        #expect(self.stage.events.count == count)
        #expect(self.stage.screen == ["a"])
    }

    @Test mutating func `a toast of a shorter duration ends when the assistive viewer counts as gone`() throws {
        try self.stage.apply(.dismiss(try self.stage.id("a"), .api), at: 1)
        try self.stage.post("b", duration: 1, at: 2, with: ["requiresInteraction": true])
        try self.stage.apply(.audience(.none), at: 10)
        try self.stage.run(until: 100)
        #expect(self.stage.shown.last == "12 dismissed b timeout exit 0.35")
    }

    @Test mutating func `a held toast gets its normal time when it is released`() throws {
        try self.stage.apply(.hold(try self.stage.id("a"), holder: "v", lease: Interval(seconds: 10)), at: 1)
        try self.stage.apply(.audience(Audience(isAttached: true)), at: 2)
        try self.stage.run(until: 100)
        #expect(self.stage.timeline.contains("11 released a v for 4"))
        #expect(self.stage.shown.last == "15 dismissed a timeout exit 0.35")
    }

    @Test mutating func `a restart does not count as leaving`() throws {
        let state = self.stage.engine.snapshotState()
        var engine = try Engine(channel: self.stage.engine.channel, epoch: self.stage.engine.epoch, restoring: state)
        let later = EngineScenario.start + Interval(seconds: 60)
        #expect(try engine.apply(.audience(.none), at: later).isEmpty)
        #expect(engine.nextDeadline == nil)
        let events = try engine.apply(.audience(Audience(isAttached: true)), at: later)
        #expect(events.isEmpty)
        let end = try #require(engine.nextDeadline)
        #expect(engine.tick(at: end).map(\.type) == [.updated])
        #expect(engine.nextDeadline == later + Interval(seconds: 4))
    }

    @Test func `toasts without an end, and toasts without the requirement, stay as they are`() throws {
        var stage = try EngineScenario(["mode": "stack"], isAttached: false)
        try stage.apply(.audience(Audience(isAttached: true, isAssistive: true)), at: 0)
        try stage.post("endless", duration: "indefinite", at: 0, with: ["requiresInteraction": true])
        try stage.post("usual", duration: 60, at: 0)
        let count = stage.timeline.count
        try stage.apply(.audience(Audience(isAttached: true)), at: 1)
        #expect(stage.timeline.count == count)
    }
}
