import Testing
import ToastCore

/// The same minute of a channel under every preset; the expected events were worked out by hand.
@Suite struct PresetScriptTests {
    private func play(_ preset: PresetName) throws -> [String] {
        var script = Script(stage: try EngineScenario(["preset": .string(preset.rawValue)]))
        try script.post("a", at: 0)
        try script.post("b", .error, at: 0.5)
        try script.post("a2", at: 1, with: ["message": "a"])
        try script.post("c", at: 2.5, with: ["placement": "bottom"])
        try script.update("b", ["message": "new"], at: 3)
        try script.dismiss("b", .swipe, at: 4)
        try script.dismiss("a", .swipe, at: 4.5)
        try script.post("c2", at: 7, with: ["message": "c", "placement": "bottom"])
        try script.stage.apply(.audience(.none), at: 10)
        try script.post("d", at: 11, with: ["duration": 5])
        try script.post("e", at: 12)
        try script.stage.apply(.audience(Audience(isAttached: true, isAssistive: true)), at: 20)
        try script.stage.run(until: 25)
        for name in script.stage.screen { try script.dismiss(name, .tap, at: 25) }
        try script.stage.apply(.audience(Audience(isAttached: true)), at: 30)
        try script.post("f", at: 40, with: ["duration": 20, "progress": ["value": 0, "dismissAfter": 0.5]])
        try script.update("f", ["progress": ["value": 1]], at: 42)
        try script.post("g", at: 45)
        try script.stage.apply(.clear, at: 45.1)
        try script.post("h", at: 45.2)
        try script.stage.run(until: 60)
        return script.stage.timeline
    }

    /// Six seconds a toast, then 0.35 s of exit and 0.2 s of pause; half as much time again from 20 to 30.
    @Test func toastd() throws {
        #expect(
            try self.play(.toastd) == [
                "0 enqueued a", "0 presented a for 6", "0.5 enqueued b", "1 enqueued a2", "2.5 enqueued c",
                "3 updated b message", "4 refused b", "4.5 dismissed a swipe exit 0.35", "5.05 presented b for 6",
                "7 enqueued c2", "11 enqueued d", "11.05 dismissed b timeout exit 0.35", "12 enqueued e",
                "20 presented a2 for 9", "25 dismissed a2 tap exit 0.35", "25.55 presented c for 9",
                "34.55 dismissed c timeout exit 0.35", "35.1 presented c2 for 6", "40 enqueued f",
                "41.1 dismissed c2 timeout exit 0.35", "41.65 presented d for 5", "42 updated f progress",
                "45 enqueued g", "45.1 dismissed d cleared exit 0.35", "45.1 dismissed e cleared",
                "45.1 dismissed f cleared", "45.1 dismissed g cleared", "45.2 enqueued h", "45.65 presented h for 6",
                "51.65 dismissed h timeout exit 0.35",
            ]
        )
    }

    /// The same queue with two seconds a toast.
    @Test func noticeui() throws {
        #expect(
            try self.play(.noticeui) == [
                "0 enqueued a", "0 presented a for 2", "0.5 enqueued b", "1 enqueued a2",
                "2 dismissed a timeout exit 0.35", "2.5 enqueued c", "2.55 presented b for 2",
                "3 updated b message for 1.55", "4 dismissed b swipe exit 0.35", "4.55 presented a2 for 2",
                "6.55 dismissed a2 timeout exit 0.35", "7 enqueued c2", "7.1 presented c for 2",
                "9.1 dismissed c timeout exit 0.35", "9.65 presented c2 for 2", "11 enqueued d",
                "11.65 dismissed c2 timeout exit 0.35", "12 enqueued e", "20 presented d for 7.5",
                "25 dismissed d tap exit 0.35", "25.55 presented e for 3", "28.55 dismissed e timeout exit 0.35",
                "40 enqueued f", "40 presented f for 20", "42 updated f progress for 0.5",
                "42.5 dismissed f completed exit 0.35", "45 enqueued g", "45 presented g for 2",
                "45.1 dismissed g cleared exit 0.35", "45.2 enqueued h", "45.65 presented h for 2",
                "47.65 dismissed h timeout exit 0.35",
            ]
        )
    }

    /// One banner, whose content is swapped; the same content again (c2) has no effect.
    ///
    /// Without an audience the newest waits, and after a dismissal it waits for the exit of 0.35 s.
    @Test func toaster() throws {
        #expect(
            try self.play(.toaster) == [
                "0 enqueued a", "0 presented a for 6", "0.5 enqueued b", "0.5 dismissed a replaced",
                "0.5 presented b for 6", "1 enqueued a2", "1 dismissed b replaced", "1 presented a2 for 6",
                "2.5 enqueued c", "2.5 dismissed a2 replaced", "2.5 presented c for 6", "3 refused b",
                "8.5 dismissed c timeout exit 0.35", "11 enqueued d", "12 enqueued e", "12 dismissed d replaced",
                "20 presented e for 9", "25 dismissed e tap exit 0.35", "40 enqueued f", "40 presented f for 20",
                "42 updated f progress for 0.5", "42.5 dismissed f completed exit 0.35", "45 enqueued g",
                "45 presented g for 6", "45.1 dismissed g cleared exit 0.35", "45.2 enqueued h",
                "45.45 presented h for 6", "51.45 dismissed h timeout exit 0.35",
            ]
        )
    }

    /// One box, which stays until it is dismissed, and refuses other toasts; during its exit of 0.4 s one may wait.
    @Test func toastui() throws {
        #expect(
            try self.play(.toastui) == [
                "0 enqueued a", "0 presented a", "0.5 refused b", "1 refused a2", "2.5 refused c", "3 refused b",
                "4 refused b", "4.5 dismissed a swipe exit 0.4", "7 enqueued c2", "7 presented c2", "11 refused d",
                "12 refused e", "25 dismissed c2 tap exit 0.4", "40 enqueued f", "40 presented f for 20",
                "42 updated f progress for 0.5", "42.5 dismissed f completed exit 0.4", "45 enqueued g",
                "45 presented g", "45.1 dismissed g cleared exit 0.4", "45.2 enqueued h", "45.5 presented h",
            ]
        )
    }

    /// Two stacks: four seconds after an entry of 0.4 s, or after the 0.3 s in which a toast that is sent again (a2)
    /// moves past the newer one.
    @Test func ysnackbar() throws {
        #expect(
            try self.play(.ysnackbar) == [
                "0 enqueued a", "0 presented a for 4.4", "0.5 enqueued b", "0.5 presented b for 4.4",
                "1 updated a moved for 4.3", "2.5 enqueued c", "2.5 presented c for 4.4",
                "3 updated b message for 1.9", "4 dismissed b swipe exit 0.3", "4.5 dismissed a swipe exit 0.3",
                "6.9 dismissed c timeout exit 0.3", "7 enqueued c2", "7 presented c2 for 4.4", "11 enqueued d",
                "11.4 dismissed c2 timeout exit 0.3", "12 enqueued e", "20 presented d for 7.9",
                "20 presented e for 6.4", "25 dismissed d tap exit 0.3", "25 dismissed e tap exit 0.3",
                "40 enqueued f", "40 presented f for 20.4", "42 updated f progress for 0.5",
                "42.5 dismissed f completed exit 0.3", "45 enqueued g", "45 presented g for 4.4",
                "45.1 dismissed g cleared exit 0.3", "45.2 enqueued h", "45.2 presented h for 4.4",
                "49.6 dismissed h timeout exit 0.3",
            ]
        )
    }

    /// One banner of three seconds, whose exit takes 0.4 s; the same content again is another toast.
    @Test func inapp() throws {
        #expect(
            try self.play(.inapp) == [
                "0 enqueued a", "0 presented a for 3", "0.5 enqueued b", "0.5 dismissed a replaced",
                "0.5 presented b for 3", "1 enqueued a2", "1 dismissed b replaced", "1 presented a2 for 3",
                "2.5 enqueued c", "2.5 dismissed a2 replaced", "2.5 presented c for 3", "3 refused b",
                "5.5 dismissed c timeout exit 0.4", "7 enqueued c2", "7 presented c2 for 3",
                "10 dismissed c2 timeout exit 0.4", "11 enqueued d", "12 enqueued e", "12 dismissed d replaced",
                "20 presented e for 4.5", "24.5 dismissed e timeout exit 0.4", "40 enqueued f",
                "40 presented f for 20", "42 updated f progress for 0.5", "42.5 dismissed f completed exit 0.4",
                "45 enqueued g", "45 presented g for 3", "45.1 dismissed g cleared exit 0.4", "45.2 enqueued h",
                "45.5 presented h for 3", "48.5 dismissed h timeout exit 0.4",
            ]
        )
    }
}

/// A scenario whose timeline has refusals, too.
private struct Script {
    var stage: EngineScenario

    mutating func post(_ name: String, _ role: Role = .info, at seconds: Double, with members: JSONObject = [:]) throws
    {
        try self.attempt(name, at: seconds) { stage in
            try stage.post(name, role, duration: .null, at: seconds, with: members)
        }
    }

    mutating func update(_ name: String, _ patch: JSON, at seconds: Double) throws {
        try self.attempt(name, at: seconds) { stage in
            try stage.apply(.update(try stage.id(name), try ToastPatch(json: patch), ifRevision: nil), at: seconds)
        }
    }

    mutating func dismiss(_ name: String, _ reason: DismissReason, at seconds: Double) throws {
        try self.attempt(name, at: seconds) { stage in
            try stage.apply(.dismiss(try stage.id(name), reason), at: seconds)
        }
    }

    private mutating func attempt(
        _ name: String,
        at seconds: Double,
        _ body: (inout EngineScenario) throws -> Void
    ) throws {
        do { try body(&self.stage) } catch is EngineError { self.stage.note("refused \(name)", at: seconds) }
    }
}
