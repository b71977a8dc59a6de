import Testing
import ToastCore

/// Bugs of the seeds' sources about seeing, hearing and answering a toast, each as a test that fails with the bug.
@Suite struct SeedSpeechBugTests {
    /// The announcement of the last event that presents or updates a toast.
    private func announcement(_ stage: EngineScenario) -> String? {
        switch stage.events.last?.kind {
        case .presented(_, let presentation): presentation.announcement
        case .updated(_, let update): update.announcement
        default: nil
        }
    }

    /// NoticeUI's styles ignore the role of a button.
    @Test func bug8TheRoleOfAButtonReachesWhoDrawsIt() throws {
        var stage = try EngineScenario()
        let actions: JSON = [
            ["id": "delete", "title": "Delete", "role": "destructive"],
            ["id": "keep", "title": "Keep", "role": "cancel"], ["id": "more", "title": "More"],
        ]
        try stage.post("a", at: 0, with: ["actions": actions])
        guard case .presented(let toast, _) = stage.events.last?.kind else {
            Issue.record("nothing was presented")
            return
        }
        #expect(toast.actions.map(\.role) == [.destructive, .cancel, nil])
    }

    /// Toaster hides the app from screen readers and says nothing itself.
    @Test(arguments: PresetName.allCases)
    func bug21WhatComesOnScreenIsSaidInEveryPreset(name: PresetName) throws {
        var stage = try EngineScenario(["preset": .string(name.rawValue)])
        try stage.post("a", .warning, at: 0, with: ["message": "Disk full"])
        #expect(self.announcement(stage)?.hasSuffix("Disk full") == true)
        let patch = try ToastPatch(json: ["message": "Disk still full"])
        try stage.apply(.update(try stage.id("a"), patch, ifRevision: nil), at: 0.5)
        #expect(self.announcement(stage)?.hasSuffix("Disk still full") == true)
    }

    /// A button of Y-Snackbar that only a screen reader knows has an empty name.
    @Test(arguments: [JSON.null, "", ["key": ""], 1])
    func bug36NoActionIsWithoutAName(title: JSON) throws {
        let error = #expect(throws: ValidationError.self) {
            try ToastDraft(json: ["message": "m", "actions": [["id": "close", "title": title]]])
        }
        #expect(error?.issues.allSatisfy { $0.pointer.hasPrefix("/actions/0/title") } == true)
    }

    /// In-App has no overlay when there was no scene at the start, so messages are never seen.
    @Test(arguments: PresetName.allCases)
    func bug42WhatIsSentBeforeAnyoneCanSeeItIsSeenLater(name: PresetName) throws {
        var stage = try EngineScenario(["preset": .string(name.rawValue)], isAttached: false)
        // ToastUI's preset limits waiting, because a waiting toast refuses all others.
        try stage.post("a", duration: 3, at: 0, with: ["expiresAfter": 7200])
        try stage.run(until: 3600)
        #expect(stage.screen.isEmpty)
        #expect(stage.queue == ["a"])
        try stage.apply(.audience(Audience(isAttached: true)), at: 3600)
        #expect(stage.screen == ["a"])
        #expect(try stage.remaining("a", at: 3600) == (stage.engine.effective.mode == .stack ? 3.4 : 3))
        try stage.apply(.audience(.none), at: 3600)
        try stage.run(until: 3700)
        #expect(try stage.toast("a").dismissReason == .timeout)
    }
}
