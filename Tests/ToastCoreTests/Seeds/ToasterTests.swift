import Testing
import ToastCore

/// Toaster's single slot: a new value replaces the old one, an equal value has no effect.
@Suite struct ToasterTests {
    private var stage: EngineScenario

    init() throws {
        self.stage = try EngineScenario(["preset": "toaster"])
        try self.stage.post("a", .error, duration: .null, at: 0, with: ["title": "Title"])
    }

    @Test func aToastStaysForSixSeconds() {
        #expect(self.stage.timeline == ["0 enqueued a", "0 presented a for 6"])
    }

    @Test mutating func anotherValueIsSwappedInWithATimeOfItsOwn() throws {
        try self.stage.post("b", duration: .null, at: 5)
        try self.stage.run(until: 20)
        #expect(
            self.stage.shown.dropFirst() == [
                "5 dismissed a replaced", "5 presented b for 6", "11 dismissed b timeout exit 0.35",
            ]
        )
    }

    @Test mutating func anEqualValueIsNoEvent() throws {
        let count = self.stage.events.count
        let admission = try self.stage.enqueue(
            "again",
            ["message": "a", "role": "error", "title": "Title", "data": "other", "icon": "wifi"],
            at: 3
        )
        #expect(!admission.isNew)
        #expect(admission.toasts.map(\.id) == [try self.stage.id("a")])
        #expect(self.stage.events.count == count)
        try self.stage.run(until: 6)
        #expect(self.stage.screen == [])
    }

    @Test(
        arguments: [
            ["role": "info"], ["title": "Other"], ["title": .null], ["message": "other"], ["duration": 7],
        ] as [JSONObject]
    )
    mutating func aValueThatDiffersInOneFieldIsAnother(members: JSONObject) throws {
        var object: JSONObject = ["message": "a", "role": "error", "title": "Title"]
        for (name, value) in members { object[name] = value }
        #expect(try self.stage.enqueue("b", object, at: 1).isNew)
        #expect(self.stage.screen == ["b"])
    }

    @Test(arguments: [JSON.integer(0), "indefinite"])
    mutating func aToastWithoutATimeIsSticky(duration: JSON) throws {
        try self.stage.post("b", duration: duration, at: 1)
        try self.stage.run(until: 1000)
        #expect(self.stage.screen == ["b"])
    }
}
