import Testing
@testable import ToastCore

@Suite struct HoldTests {
    private var stage: EngineScenario

    init() throws {
        self.stage = try EngineScenario()
        try self.stage.post(["a", "b"], duration: 2, at: 0)
    }

    private mutating func hold(_ name: String, by holder: String, for lease: Double, at seconds: Double) throws {
        let lease = Interval(seconds: lease)
        try self.stage.apply(.hold(try self.stage.id(name), holder: holder, lease: lease), at: seconds)
    }

    @Test mutating func aHoldFreezesTheCountdown() throws {
        try self.hold("a", by: "v1", for: 10, at: 0.5)
        #expect(try self.stage.remaining("a", at: 5) == 1.5)
        #expect(self.stage.engine.slot(try self.stage.id("a"))?.holds.isEmpty == false)
        try self.stage.apply(.release(try self.stage.id("a"), holder: "v1"), at: 8)
        #expect(try self.stage.remaining("a", at: 9) == 0.5)
        try self.stage.run(until: 10)
        #expect(
            self.stage.timeline.dropFirst(3) == [
                "0.5 held a v1 for 1.5", "8 released a v1 for 1.5", "9.5 dismissed a timeout exit 0.35",
            ]
        )
    }

    @Test mutating func aLeaseEndsByItself() throws {
        try self.hold("a", by: "v1", for: 500, at: 1)
        try self.stage.run(until: 60)
        #expect(self.stage.timeline.contains("31 released a v1 for 1"))
        #expect(self.stage.timeline.contains("32 dismissed a timeout exit 0.35"))
    }

    @Test mutating func aHoldIsRenewedByItsHolder() throws {
        try self.hold("a", by: "v1", for: 30, at: 1)
        try self.hold("a", by: "v1", for: 30, at: 21)
        try self.stage.run(until: 60)
        #expect(self.stage.timeline.contains("51 released a v1 for 1"))
    }

    @Test mutating func theLastHolderLetsTheCountdownRun() throws {
        try self.hold("a", by: "v1", for: 10, at: 1)
        try self.hold("a", by: "v2", for: 4, at: 1)
        try self.stage.apply(.release(try self.stage.id("a"), holder: "v1"), at: 2)
        try self.stage.run(until: 9)
        #expect(self.stage.timeline.contains("2 released a v1 for 1 held"))
        #expect(self.stage.timeline.contains("5 released a v2 for 1"))
        #expect(self.stage.timeline.contains("6 dismissed a timeout exit 0.35"))
    }

    @Test mutating func aLateTickCountsALeaseToItsEnd() throws {
        try self.hold("a", by: "v1", for: 10, at: 1)
        try self.stage.tickLate(at: 100)
        #expect(
            self.stage.timeline.suffix(3) == [
                "11 released a v1 for 1", "12 dismissed a timeout exit 0.35", "100 presented b for 2",
            ]
        )
    }

    @Test mutating func lettingGoTwiceDoesNothing() throws {
        let count = self.stage.events.count
        try self.stage.apply(.release(try self.stage.id("a"), holder: "nobody"), at: 1)
        try self.stage.apply(.release(try self.stage.id("b"), holder: "nobody"), at: 1)
        #expect(self.stage.events.count == count)
    }

    @Test mutating func onlyWhatIsShownCanBeHeld() throws {
        let (a, b) = (try self.stage.id("a"), try self.stage.id("b"))
        #expect(throws: EngineError.toastNotPresented) { try self.hold("b", by: "v", for: 1, at: 1) }
        try self.stage.apply(.dismiss(a, .close), at: 1)
        #expect(throws: EngineError.toastDismissed) { try self.hold("a", by: "v", for: 1, at: 1) }
        try self.stage.run(until: 2)
        #expect(throws: EngineError.self) { try self.hold("b", by: "", for: 1, at: 2) }
        #expect(self.stage.engine.slot(b)?.holds.isEmpty == true)
    }

    @Test mutating func anIndefiniteToastCanBeHeldToo() throws {
        try self.stage.post("c", duration: 0, at: 0)
        try self.stage.run(until: 6)
        try self.hold("c", by: "v1", for: 3, at: 6)
        try self.stage.run(until: 60)
        #expect(self.stage.timeline.suffix(2) == ["6 held c v1", "9 released c v1"])
        #expect(self.stage.screen == ["c"])
    }

    @Test mutating func pastTheBoundTheHoldThatEndsFirstGoes() throws {
        for number in 0..<Engine.maximumHolders {
            try self.hold("a", by: "v\(number)", for: 20 - Double(number) / 10, at: 1)
        }
        try self.hold("a", by: "late", for: 1, at: 1)
        #expect(self.stage.timeline.suffix(2) == ["1 released a v63 for 1 held", "1 held a late for 1"])
        #expect(try self.stage.remaining("a", at: 1) == 1)
    }

    @Test mutating func aHolderHoldsAToastForFiveMinutesInAll() throws {
        for start in stride(from: 1.0, to: 300, by: 20) { try self.hold("a", by: "v1", for: 30, at: start) }
        try self.hold("a", by: "v1", for: 30, at: 300)
        try self.stage.run(until: 600)
        #expect(self.stage.timeline.contains("301 released a v1 for 1"))
        #expect(self.stage.timeline.contains("302 dismissed a timeout exit 0.35"))
    }

    @Test mutating func theTimeOfAHolderIsThatOfAllItsHolds() throws {
        let a = try self.stage.id("a")
        for start in stride(from: 1.0, to: 200, by: 20) { try self.hold("a", by: "v1", for: 30, at: start) }
        try self.stage.apply(.release(a, holder: "v1"), at: 201)
        try self.hold("a", by: "other", for: 30, at: 201)
        // Half a minute in which it did not hold.
        for start in stride(from: 231.0, to: 331, by: 10) {
            try self.hold("a", by: "other", for: 30, at: start)
            try self.hold("a", by: "v1", for: 30, at: start)
        }
        let last = EngineScenario.start + Interval(seconds: 330)
        #expect(self.stage.engine.holdTimeLeft(of: "v1", on: a, at: last) == Interval(seconds: 1))
        try self.stage.run(until: 332)
        #expect(self.stage.timeline.contains("331 released a v1 for 1 held"))
        // Its time is used up, that of the other one is not.
        let count = self.stage.events.count
        try self.hold("a", by: "v1", for: 30, at: 332)
        #expect(self.stage.events.count == count)
        #expect(self.stage.engine.slot(a)?.holds.isEmpty == false)
        try self.stage.run(until: 400)
        #expect(self.stage.timeline.contains("351 released a other for 1"))
        #expect(self.stage.timeline.contains("352 dismissed a timeout exit 0.35"))
    }

    @Test mutating func theTimeOfAHolderIsForEachToast() throws {
        for start in stride(from: 1.0, to: 302, by: 20) { try self.hold("a", by: "v1", for: 30, at: start) }
        try self.stage.run(until: 304)
        try self.hold("b", by: "v1", for: 30, at: 304)
        #expect(self.stage.timeline.last == "304 held b v1 for 0.55")
    }

    @Test mutating func onlySoManyEndedHoldsAreRemembered() throws {
        for number in 0...Engine.maximumHolders {
            try self.hold("a", by: "v\(number)", for: 1, at: 1)
            try self.stage.apply(.release(try self.stage.id("a"), holder: "v\(number)"), at: 1)
        }
        let state = String(decoding: self.stage.engine.snapshotState(), as: UTF8.self)
        #expect(!state.contains(#""v0""#))
        #expect(state.contains(#""v1""#) && state.contains(#""v64""#))
    }
}
