import Testing
import ToastCore
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
        try await self.store.replaceDocument(.settings, with: Array("{".utf8))
        await #expect(throws: StoreError.self) { try await ServerDefaults(store: self.store) }
    }
}
