import Testing
import ToastCore

/// The In-App Notification System has no tests; these are the scenarios of its document.
@Suite struct InAppTests {
    private var stage: EngineScenario

    init() throws {
        self.stage = try EngineScenario(["preset": "inapp"])
    }

    @Test(
        arguments: [
            ["title": "T", "message": .null], ["title": "T", "message": "m"], ["title": "T", "icon": "bell.fill"],
            ["title": ["key": "greeting", "default": "Hello"]],
        ] as [JSONObject]
    )
    mutating func whateverItSaysItStaysForThreeSeconds(members: JSONObject) throws {
        try self.stage.post("a", duration: .null, at: 0, with: members)
        try self.stage.run(until: 9)
        #expect(self.stage.shown == ["0 presented a for 3", "3 dismissed a timeout exit 0.4"])
    }

    @Test(arguments: [DismissReason.tap, .swipe])
    mutating func aPersonClosesIt(reason: DismissReason) throws {
        try self.stage.post("a", duration: .null, at: 0)
        try self.stage.apply(.dismiss(try self.stage.id("a"), reason), at: 1)
        #expect(self.stage.shown.last == "1 dismissed a \(reason) exit 0.4")
    }

    @Test mutating func aNewOneReplacesTheOldOneAtOnce() throws {
        try self.stage.post("a", duration: .null, at: 0)
        try self.stage.post("b", duration: .null, at: 2)
        try self.stage.run(until: 9)
        #expect(
            self.stage.shown.dropFirst() == [
                "2 dismissed a replaced", "2 presented b for 3", "5 dismissed b timeout exit 0.4",
            ]
        )
    }
}
