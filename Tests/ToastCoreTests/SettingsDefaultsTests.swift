import TestSupport
import Testing

@testable import ToastCore

/// The server's defaults, which apply below the channels' own settings.
@Suite struct SettingsDefaultsTests {
    private func members(_ documents: [JSON], for channel: String) throws -> JSON {
        let name = try #require(ChannelName(rawValue: channel))
        return .object(SettingsDefaults.members(of: try documents.map { try SettingsDefaults(json: $0) }, for: name))
    }

    @Test func `a channel's own settings override those of patterns, which override those of all channels`() throws {
        let document: JSON = [
            "style": "pale", "duration": 5,
            "channels": ["ops-*": ["duration": 9], "ops-db": ["haptic": "none"], "*": ["pause": 1]],
        ]
        #expect(try self.members([document], for: "lobby") == ["style": "pale", "duration": 5, "pause": 1])
        #expect(
            try self.members([document], for: "ops-db")
                == ["style": "pale", "duration": 9, "pause": 1, "haptic": "none"]
        )
        let base = Settings(over: try #require(try self.members([document], for: "ops-db").object))
        let settings = try base.applying(["style": "retro"])
        #expect(settings.members == ["style": "retro"])
        #expect(settings.effective.style.rawValue == "retro")
        #expect(settings.effective.duration == .finite(Interval(seconds: 9)))
        let sources = Dictionary(uniqueKeysWithValues: settings.sources.map { ($0.name, $0.source) })
        #expect(sources["style"] == .channel)
        #expect(sources["duration"] == .defaults)
        #expect(sources["mode"] == .preset)
        #expect(sources["capacity"] == .server)
        #expect(settings.cleared == base)
    }

    @Test func `the later of two documents overrides, but a pattern overrides settings for all channels`() throws {
        let file: JSON = ["style": "pale", "pause": 1, "channels": ["a*": ["pause": 2, "haptic": "none"]]]
        let sent: JSON = ["style": "retro", "pause": 3, "channels": ["a*": ["haptic": "light"]]]
        #expect(try self.members([file, sent], for: "abc") == ["style": "retro", "pause": 2, "haptic": "light"])
        #expect(try self.members([file, sent], for: "xyz") == ["style": "retro", "pause": 3])
    }

    @Test func `the preset of a higher layer overrides lower layers where its system has a value`() throws {
        let document: JSON = [
            "preset": "toaster", "duration": 9, "theme": ["background": "#102030"],
            "layout": ["inset": 4, "spacing": 2], "channels": ["s*": ["preset": "noticeui"]],
        ]
        #expect(
            try self.members([document], for: "snacks")
                == ["theme": ["background": "#102030"], "layout": ["spacing": 2], "preset": "noticeui"]
        )
        let base = Settings(over: try #require(try self.members([document], for: "other").object))
        #expect(base.effective.mode == .replace)
        let own = try base.applying(["preset": "inapp"]).effective
        #expect(own.preset == .inapp)
        #expect(own.duration == .finite(Interval(seconds: 3)))
        #expect(own.theme[.background] == Color(hex: "#102030"))
        #expect(own.layout["inset"]?["top"] == 8)
    }

    @Test func `an edge that is set for few channels leaves the other edges as set for all channels`() throws {
        let document: JSON = ["layout": ["inset": 20], "channels": ["a": ["layout": ["inset": ["top": 8]]]]]
        let settings = Settings(over: try #require(try self.members([document], for: "a").object))
        #expect(settings.effective.layout["inset"] == ["top": 8, "bottom": 20, "leading": 20, "trailing": 20])
    }

    @Test func `a patch unsets members and patterns`() throws {
        let groups: JSON = ["a": ["pause": 1], "b": ["pause": 2]]
        let defaults = try SettingsDefaults(json: ["style": "pale", "channels": groups])
        let patch: JSON = ["style": .null, "channels": ["a": ["pause": .null], "b": ["haptic": "none"]]]
        let patched = try defaults.applying(patch)
        #expect(patched == (try SettingsDefaults(json: ["channels": ["b": ["pause": 2, "haptic": "none"]]])))
        #expect(try patched.applying(["channels": .null]).isEmpty)
        var writer = JSONWriter()
        writer.value(patched)
        #expect(try SettingsDefaults(json: JSON(parsing: writer.bytes)) == patched)
    }
}

/// How a channel adopts new defaults of the server.
@Suite struct AssumedDefaultsTests {
    private let base: Settings

    init() throws {
        self.base = Settings(over: try #require(JSON.object(["mode": "stack", "lanes": "placement"]).object))
    }

    private func engine() throws -> Engine {
        Engine(channel: try #require(ChannelName(rawValue: "ops")), epoch: try #require(EngineScenario.epoch))
    }

    private func post(_ engine: inout Engine, at seconds: Double) throws -> [Event] {
        var generator = SplitMix64(seed: UInt64(seconds))
        let id = ToastID(at: EngineScenario.start, using: &generator)
        let draft = try ToastDraft(json: ["message": "m", "placement": "bottom"])
        let now = EngineScenario.start + Interval(seconds: seconds)
        return try engine.enqueue([NewToast(id: id, draft: draft)], at: now).events
    }

    @Test func `new defaults are stored with the next event, and folding gives the same channel`() throws {
        var engine = try self.engine()
        engine.applyDefaults(self.base)
        #expect(engine.effective.mode == .stack)
        #expect(try engine.apply(.audience(Audience(isAttached: true)), at: EngineScenario.start).isEmpty)
        #expect(engine.offset == .origin)
        #expect(engine.audience.isAttached)
        let events = try self.post(&engine, at: 1)
        #expect(events.map(\.type) == [.configured, .enqueued, .presented])
        let later = try self.post(&engine, at: 2)
        #expect(later.map(\.type) == [.enqueued, .presented])
        var rebuilt = try self.engine()
        for event in events + later {
            rebuilt.fold(try Event(envelope: event.stored(channel: engine.channel, epoch: engine.epoch).envelope))
        }
        #expect(rebuilt.snapshotState() == engine.snapshotState())
        #expect(rebuilt.settings == engine.settings)
        let state = engine.snapshotState()
        let restored = try Engine(channel: engine.channel, epoch: engine.epoch, restoring: state)
        #expect(restored.snapshotState() == state)
        #expect(restored.lanes.count == 3)
    }

    @Test func `a refusal and a command without effect store no new defaults`() throws {
        var engine = try self.engine()
        engine.applyDefaults(self.base)
        let before = engine.snapshotState()
        var generator = SplitMix64(seed: 9)
        let id = ToastID(at: EngineScenario.start, using: &generator)
        #expect(throws: EngineError.toastNotFound) { try engine.apply(.dismiss(id, .api), at: EngineScenario.start) }
        #expect(try engine.apply(.clear, at: EngineScenario.start).isEmpty)
        #expect(engine.snapshotState() == before)
        #expect(try self.post(&engine, at: 1).first?.type == .configured)
    }

    @Test func `overdue events follow the event about new defaults, at their own times`() throws {
        var engine = try self.engine()
        _ = try engine.apply(.audience(Audience(isAttached: true)), at: EngineScenario.start)
        _ = try self.post(&engine, at: 0)
        engine.applyDefaults(self.base)
        let events = engine.tick(at: EngineScenario.start + Interval(seconds: 60))
        #expect(events.map(\.type) == [.configured, .dismissed])
        #expect(events.last?.at == EngineScenario.start + Interval(seconds: 6))
    }

    @Test func `new defaults are owed until an event has them`() throws {
        var engine = try self.engine()
        #expect(!engine.owesConfiguration)
        engine.applyDefaults(self.base)
        #expect(engine.owesConfiguration)
        #expect(engine.tick(at: EngineScenario.start).isEmpty)
        #expect(engine.owesConfiguration)
        _ = try self.post(&engine, at: 1)
        #expect(!engine.owesConfiguration)
    }

    @Test func `listeners are told of new defaults at once`() throws {
        var engine = try self.engine()
        engine.applyDefaults(self.base)
        engine.applyDefaults(Settings(over: ["mode": "reject"]))
        let events = engine.announceDefaults(at: EngineScenario.start)
        #expect(events.map(\.type) == [.configured])
        #expect(engine.effective.mode == .reject)
        #expect(!engine.owesConfiguration)
        #expect(try self.post(&engine, at: 1).map(\.type) == [.enqueued])
    }

    @Test func `a channel under defaults in which nothing is left is vacant`() throws {
        var engine = try self.engine()
        engine.applyDefaults(self.base)
        #expect(engine.isVacant)
        engine.applyDefaults(Settings())
        #expect(engine.effective == Settings().effective)
    }
}
