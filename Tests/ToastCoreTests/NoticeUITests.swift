import TestSupport
import Testing
import ToastCore

/// The assertions of NoticeUI's own tests, each as a test of the engine.
@Suite struct NoticeUITests {
    private func draft(_ json: JSON) throws -> ToastDraft { try ToastDraft(json: json) }

    @Test(arguments: [("short", 2.0), ("long", 4.0)])
    func noticeUIDurationNames(name: String, seconds: Double) throws {
        let duration = try self.draft(["message": "m", "duration": .string(name)]).duration
        #expect(duration?.interval == Interval(seconds: seconds))
    }

    @Test func noticeUICustomAndIndefiniteDurations() throws {
        #expect(try self.draft(["message": "m", "duration": 5.5]).duration?.interval == Interval(seconds: 5.5))
        let indefinite = try self.draft(["message": "m", "duration": "indefinite"])
        #expect(indefinite.duration == .indefinite)
        #expect(indefinite.duration?.interval == nil)
        #expect(ToastDuration.finite(Interval(seconds: 3)) == .finite(Interval(seconds: 3)))
        #expect(ToastDuration.short != .long)
    }

    @Test func noticeUIRolesAreFour() {
        #expect(Set(Role.allCases) == [.success, .error, .warning, .info])
        #expect(Role.error != .warning)
    }

    @Test func noticeUIToastDefaults() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post("m", .success, duration: .null, at: 0)
        let toast = try stage.toast("m")
        #expect(toast.message == .raw("m"))
        #expect(toast.role == .success)
        #expect(toast.placement == .top)
        #expect(toast.title == .automatic)
        #expect(toast.style == .glass)
        #expect(toast.haptic == .automatic)
        #expect(try self.draft(["message": "m"]).role == .info)
    }

    @Test func noticeUIEqualContentIsNotTheSameToast() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post(["m"], at: 0)
        let first = try stage.toast("m")
        let draft = try self.draft(["message": "m", "duration": 1, "role": "info"])
        var generator = SplitMix64(seed: 99)
        let id = ToastID(at: EngineScenario.start, using: &generator)
        try stage.publish([NewToast(id: id, draft: draft)], at: 0)
        let second = try #require(stage.engine.toast(id))
        #expect(first.id != second.id)
        #expect(first != second)
        #expect(first.content == second.content)
    }

    @Test func noticeUITitleCases() throws {
        #expect(try self.draft(["message": "m"]).title == .automatic)
        #expect(try self.draft(["message": "m", "title": "T"]).title == .custom(.raw("T")))
        #expect(try self.draft(["message": "m", "title": .null]).title == ToastTitle.none)
        #expect(ToastTitle.automatic != .none)
        #expect(ToastTitle.automatic.text == nil)
        #expect(ToastTitle.none.text == nil)
        #expect(ToastTitle.custom(.raw("T")).text == .raw("T"))
    }

    @Test func noticeUICustomIconAndMessagesAreKept() throws {
        let toast = try self.draft(["message": "a %@ *b*", "icon": "star.fill"])
        #expect(toast.details.icon == "star.fill")
        #expect(toast.message?.text == "a %@ *b*")
        let localized = try self.draft(["message": ["key": "operation_completed", "arguments": ["Alice"]]])
        #expect(localized.message?.text == "operation_completed")
    }

    @Test func noticeUIAllPropertiesRoundTrip() throws {
        let toast = try self.draft([
            "message": "m", "title": "T", "role": "error", "icon": "star.fill", "placement": "bottom",
            "duration": "long", "haptic": "heavy", "actions": [["id": "r", "title": "Retry"]],
        ])
        #expect(toast.title.text == .raw("T"))
        #expect(toast.message == .raw("m"))
        #expect(toast.role == .error)
        #expect(toast.details.icon == "star.fill")
        #expect(toast.placement == .bottom)
        #expect(toast.duration == .long)
        #expect(toast.haptic == .heavy)
        #expect(toast.details.actions.map(\.title) == [.raw("Retry")])
    }

    @Test func noticeUIQueueModes() {
        #expect(Set(QueueMode.allCases).isSuperset(of: [.fifo, .replaceAll, .priority]))
    }

    @Test func noticeUIPrioritySorting() throws {
        var stage = try EngineScenario(.priority, isAttached: false)
        for role in [Role.info, .error, .success, .warning] { try stage.post(role.rawValue, role, at: 0) }
        #expect(stage.queue == ["error", "warning", "success", "info"])
    }

    @Test func noticeUIThreeInfosKeepTheirOrder() throws {
        var stage = try EngineScenario(.priority, isAttached: false)
        try stage.post(["1", "2", "3"], at: 0)
        #expect(stage.queue == ["1", "2", "3"])
    }

    @Test func noticeUIANewErrorComesFirst() throws {
        var stage = try EngineScenario(.priority, isAttached: false)
        try stage.post("info", .info, at: 0)
        try stage.post("success", .success, at: 0)
        try stage.post("error", .error, at: 0)
        #expect(stage.queue.first == "error")
    }
}
