import TestSupport
import Testing
import ToastCore
import ToastFormats
import ToastHub
import ToastStore

@Suite struct ServerDefaultsTests {
    private let store = MemoryStore()

    private func style(_ defaults: ServerDefaults, _ channel: String = "ops") throws -> String {
        defaults.settings(of: try #require(ChannelName(rawValue: channel))).effective.style.rawValue
    }

    @Test func aReloadTakesWhatAnotherProcessHasStored() async throws {
        let defaults = try await ServerDefaults(store: self.store)
        let others = try await ServerDefaults(store: self.store)
        _ = try await others.change(["style": "retro"])
        #expect(try await defaults.reload())
        #expect(try self.style(defaults) == "retro")
        #expect(try await !defaults.reload(), "nothing has changed")
    }

    @Test func ofTwoProcessesThatChangeTheDefaultsAtOnceNeitherUndoesTheOther() async throws {
        let others = try await ServerDefaults(store: self.store)
        let store = SharedStore(self.store)
        let defaults = try await ServerDefaults(store: store)
        store.precede(by: [{ _ = try? await others.change(["pause": 3]) }])
        let documents = try await defaults.change(["style": "retro"])
        #expect(documents.settings.effective.style.rawValue == "retro")
        #expect(documents.settings.effective.pause == Interval(seconds: 3))
        #expect(try await others.reload())
        #expect(others.documents == documents)
    }

    @Test func ofTwoProcessesThatMakeAHookAtOnceBothHaveTheirs() async throws {
        let others = try await Hooks(store: self.store)
        let store = SharedStore(self.store)
        let hooks = try await Hooks(store: store)
        let channel = try #require(ChannelName(rawValue: "ops"))
        let (one, other) = (try #require(HookName(rawValue: "one")), try #require(HookName(rawValue: "other")))
        store.precede(by: [{ _ = try? await others.set(HookMapping(.slack), of: other, in: channel) }])
        _ = try await hooks.set(HookMapping(.slack), of: one, in: channel)
        #expect(hooks.hooks(of: channel).map(\.name) == [one, other])
        try await others.reload()
        #expect(others.hooks(of: channel).map(\.name) == [one, other])
    }

    @Test func aRestoredHookDoesNotDoubleOneThatWasMadeMeanwhile() async throws {
        let hooks = try await Hooks(store: self.store)
        let channel = try #require(ChannelName(rawValue: "ops"))
        let (one, other) = (try #require(HookName(rawValue: "one")), try #require(HookName(rawValue: "other")))
        for name in [one, other] { _ = try await hooks.set(HookMapping(.slack), of: name, in: channel) }
        let removed = try await hooks.remove(of: channel)
        let made = try await hooks.set(HookMapping(.discord), of: one, in: channel)
        try await hooks.restore(removed)
        #expect(hooks.hooks(of: channel).map(\.name) == [one, other])
        #expect(hooks.hook(one, of: channel) == made.hook)
    }

    @Test func `hooks that could not be put back are put back when that is tried again`() async throws {
        let store = RefusingStore(self.store)
        let hooks = try await Hooks(store: store)
        let channel = try #require(ChannelName(rawValue: "ops"))
        let name = try #require(HookName(rawValue: "one"))
        _ = try await hooks.set(HookMapping(.slack), of: name, in: channel)
        let removed = try await hooks.remove(of: channel)
        store.refuseDocuments()
        await #expect(throws: Hooks.ChangeError.self) { try await hooks.restore(removed) }
        for await _ in hooks.failedRestorations { break }
        await #expect(throws: Hooks.ChangeError.self) { try await hooks.retryRestoration() }
        try await hooks.reload()
        #expect(hooks.hooks(of: channel).isEmpty, "a change is stored before it is visible")
        store.refuseDocuments(false)
        try await hooks.retryRestoration()
        #expect(hooks.hooks(of: channel) == removed)
        #expect(try await Hooks(store: self.store).hooks(of: channel) == removed)
    }

    @Test func `the next change puts hooks back, unless it removes them`() async throws {
        let store = RefusingStore(self.store)
        let hooks = try await Hooks(store: store)
        let channel = try #require(ChannelName(rawValue: "ops"))
        let (one, other) = (try #require(HookName(rawValue: "one")), try #require(HookName(rawValue: "other")))
        _ = try await hooks.set(HookMapping(.slack), of: one, in: channel)
        let removed = try await hooks.remove(of: channel)
        store.refuseDocuments()
        await #expect(throws: Hooks.ChangeError.self) { try await hooks.restore(removed) }
        store.refuseDocuments(false)
        _ = try await hooks.set(HookMapping(.slack), of: other, in: channel)
        #expect(hooks.hooks(of: channel).map(\.name) == [one, other])
        let both = try await hooks.remove(of: channel)
        store.refuseDocuments()
        await #expect(throws: Hooks.ChangeError.self) { try await hooks.restore(both) }
        store.refuseDocuments(false)
        #expect(try await hooks.remove(of: channel) == both)
        try await hooks.retryRestoration()
        #expect(hooks.hooks(of: channel).isEmpty)
    }

    /// A precondition is checked against what the other process has stored.
    @Test func aPreconditionSeesWhatAnotherProcessHasStored() async throws {
        let others = try await ServerDefaults(store: self.store)
        let store = SharedStore(self.store)
        let defaults = try await ServerDefaults(store: store)
        store.precede(by: [{ _ = try? await others.change(["pause": 3]) }])
        await #expect(throws: ServerDefaults.ChangeError.changed) {
            try await defaults.change(["style": "retro"]) { $0.sent.isEmpty }
        }
    }

    @Test func aChangeIsGivenUpWhenAnotherProcessChangesTheDocumentAgainAndAgain() async throws {
        let others = try await ServerDefaults(store: self.store)
        let store = SharedStore(self.store)
        let defaults = try await ServerDefaults(store: store)
        store.precede(
            by: (1...DocumentName.mostAttempts).map { attempt in
                { _ = try? await others.change(["pause": .integer(attempt % 2 == 0 ? 1 : 2)]) }
            }
        )
        await #expect(throws: ServerDefaults.ChangeError.self) { try await defaults.change(["style": "retro"]) }
        #expect(try self.style(others) == "glass")
    }

    @Test func `the sent document overrides the file, and is there after a restart`() async throws {
        let file = try SettingsDefaults(json: ["style": "pale", "pause": 1])
        let defaults = try await ServerDefaults(store: self.store, file: file)
        #expect(try self.style(defaults) == "pale")
        _ = try await defaults.change(["style": "retro"])
        #expect(try self.style(defaults) == "retro")
        let again = try await ServerDefaults(store: self.store)
        #expect(try self.style(again) == "retro")
        await defaults.replaceFile(with: SettingsDefaults())
        #expect(try self.style(defaults) == "retro")
    }

    @Test func `a change that cannot be stored, or whose precondition fails, has no effect`() async throws {
        let defaults = try await ServerDefaults(store: self.store)
        await #expect(throws: ServerDefaults.ChangeError.changed) {
            try await defaults.change(["style": "retro"]) { _ in false }
        }
        await #expect(throws: ServerDefaults.ChangeError.self) { try await defaults.change(["stlye": "retro"]) }
        await self.store.close()
        await #expect(throws: ServerDefaults.ChangeError.self) { try await defaults.change(["style": "retro"]) }
        #expect(try self.style(defaults) == "glass")
    }

    @Test func `an invalid document stops the server, instead of being lost`() async throws {
        #expect(try await self.store.replaceDocument(.settings, expecting: nil, with: Array("{".utf8)))
        await #expect(throws: StoreError.self) { try await ServerDefaults(store: self.store) }
    }
}
