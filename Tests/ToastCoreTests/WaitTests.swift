import Testing
import ToastCore

/// How long a toast may wait; a patch of another member does not change that.
@Suite struct WaitTests {
    private func patch(_ stage: inout EngineScenario, _ json: JSON, at seconds: Double) throws {
        try stage.apply(.update(try stage.id("a"), try ToastPatch(json: json), ifRevision: nil), at: seconds)
    }

    /// A patch of another member must not apply the channel's later `expiresAfter` to a toast that waits already.
    @Test func aPatchOfAnotherMemberLetsNothingExpire() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post("a", at: 0)
        try stage.apply(.configure(try Settings(json: ["expiresAfter": 60])), at: 100)
        try self.patch(&stage, ["icon": "wifi"], at: 200)
        try stage.run(until: 1000)
        #expect(try stage.toast("a").expiresAfter == nil)
        #expect(stage.queue == ["a"])
    }

    /// A wait that is made shorter than it has already lasted ends now, not before the patch.
    @Test func noEventHappensBeforeTheOneInFrontOfIt() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post("a", at: 0)
        try self.patch(&stage, ["expiresAfter": 1], at: 5)
        try stage.run(until: 60)
        #expect(stage.events.map(\.at) == stage.events.map(\.at).sorted())
        #expect(stage.shown == ["5 dismissed a expired"])
    }
}
