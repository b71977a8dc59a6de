import Testing
import ToastCore

/// Compares the presets with a separate table of facts about their systems.
@Suite struct PresetTests {
    @Test(arguments: PresetName.allCases)
    func everyValueHasASourceAndEverySourceAValue(name: PresetName) throws {
        let preset = Preset.named(name)
        #expect(preset.name == name)
        let leaves = Set(Self.leaves(of: .object(preset.settings)).map { $0.joined(separator: "/") })
        #expect(Set(preset.values.map(\.path)) == leaves)
        #expect(preset.values.count == leaves.count)
        for value in preset.values {
            #expect(!value.source.isEmpty)
            #expect(Self.value(at: value.path, in: .object(preset.settings)) == value.value)
        }
    }

    @Test(arguments: PresetName.allCases)
    func everyValueHoldsInAChannelThatNamesThePreset(name: PresetName) throws {
        let settings = try Settings(json: ["preset": .string(name.rawValue)])
        let effective = try Self.json(settings.effective)
        for value in Preset.named(name).values {
            let held = Self.value(at: value.path, in: effective)
            // "short" is a name for a number.
            #expect(held == (value.value == "short" ? 2 : value.value), "\(value.path)")
        }
        let sources = Dictionary(uniqueKeysWithValues: settings.sources.map { ($0.name, $0.source) })
        for value in Preset.named(name).values { #expect(sources[value.path] == .preset, "\(value.path)") }
        #expect(sources["preset"] == .channel)
    }

    @Test func aPresetIsWrittenWithItsSources() throws {
        let json = try Self.json(Preset.named(.inapp))
        #expect(json["name"] == "inapp")
        #expect(json["own"]?["animations"]?["enter"]?["response"] == 0.4)
        #expect(json["sources"]?["animations/enter/response"] == "source: spring")
        #expect(json["sources"]?.object?.count == Preset.named(.inapp).values.count)
    }

    /// What the documents and the sources of the five systems say, by setting, in the order of the presets' table.
    private static let facts: [(PresetName, String, JSON)] = [
        // Durations and timing
        (.noticeui, "duration", 2), (.noticeui, "pause", 0.2), (.noticeui, "animations/exit/duration", 0.35),
        (.toaster, "duration", 6), (.toastui, "duration", "indefinite"), (.ysnackbar, "duration", 4),
        (.inapp, "duration", 3), (.toastd, "duration", 6),
        (.noticeui, "animations/enter", ["duration": 0.35, "curve": "spring", "response": 0.35, "damping": 0.8]),
        (.noticeui, "animations/exit", ["duration": 0.35, "curve": "spring", "response": 0.35, "damping": 0.8]),
        (.toaster, "animations/move/duration", 0),
        (.toastui, "animations/enter", ["duration": 0.4, "curve": "easeInOut"]),
        (.toastui, "animations/exit", ["duration": 0.4, "curve": "easeInOut"]),
        (.ysnackbar, "animations/enter", ["duration": 0.4, "curve": "spring", "damping": 0.6, "velocity": 0.4]),
        (.ysnackbar, "animations/move", ["duration": 0.3, "curve": "easeInOut"]),
        (.ysnackbar, "animations/exit", ["duration": 0.3, "curve": "easeOut"]),
        (.inapp, "animations/enter", ["duration": 0.4, "curve": "spring", "response": 0.4, "damping": 0.75]),
        (.inapp, "animations/exit", ["duration": 0.4, "curve": "spring", "response": 0.4, "damping": 0.75]),
        // Queues
        (.toastd, "mode", "fifo"), (.noticeui, "mode", "fifo"), (.toaster, "mode", "replace"),
        (.toastui, "mode", "reject"), (.ysnackbar, "mode", "stack"), (.inapp, "mode", "replace"),
        (.noticeui, "lanes", "shared"), (.ysnackbar, "lanes", "placement"), (.ysnackbar, "maxVisible", "unlimited"),
        (.noticeui, "deduplication", "none"), (.toaster, "deduplication", "equal"),
        (.ysnackbar, "deduplication", "identity"), (.inapp, "deduplication", "none"),
        // Placement and layout
        (.noticeui, "placement", "top"), (.toaster, "placement", "bottom"), (.toastui, "placement", "center"),
        (.ysnackbar, "placement", "top"), (.inapp, "placement", "top"),
        (.noticeui, "layout/maximumWidth", 500), (.noticeui, "layout/inset", 16),
        (.inapp, "layout/inset", ["top": 8, "bottom": 16, "leading": 16, "trailing": 16]),
        (.toastd, "minimumVisible", 0.5), (.noticeui, "minimumVisible", 0), (.toaster, "minimumVisible", 0),
        (.toastui, "minimumVisible", 0), (.ysnackbar, "minimumVisible", 0), (.inapp, "minimumVisible", 0),
        (.toastui, "expiresAfter", 60),
        (.ysnackbar, "layout", ["spacing": 16, "inset": 16, "maximumWidth": 428]),
        (.toaster, "layout/maximumWidth", "unlimited"), (.inapp, "layout/maximumWidth", "unlimited"),
        // Gestures
        (.noticeui, "gestures/swipe/top", ["directions": ["up"], "threshold": 40]),
        (.noticeui, "gestures/swipe/center", ["directions": ["left", "right"], "threshold": 40]),
        (.noticeui, "gestures/swipe/bottom", ["directions": ["down"], "threshold": 40]),
        (.toaster, "gestures/swipe/bottom", ["directions": ["down"], "threshold": 80]),
        (.toastui, "gestures/swipe/center/directions", []),
        (.ysnackbar, "gestures/swipe/top/directions", ["up"]),
        (.ysnackbar, "gestures/swipe/bottom/directions", ["down"]),
        (.inapp, "gestures/swipe/top", ["directions": ["up"], "threshold": 80, "predictedThreshold": 200]),
        (.noticeui, "gestures/tap", "none"), (.toaster, "gestures/tap", "none"), (.inapp, "gestures/tap", "dismiss"),
        (.noticeui, "closeButton", false), (.toaster, "closeButton", true), (.toastd, "closeButton", true),
        // Haptics
        (.noticeui, "haptics", ["success": "success", "error": "error", "warning": "warning", "info": "light"]),
        (.toaster, "haptics", ["success": "success", "error": "error", "warning": "warning", "info": "success"]),
        (.ysnackbar, "haptics", ["success": "none", "error": "none", "warning": "none", "info": "none"]),
        // Texts
        (.noticeui, "title", "automatic"), (.toaster, "title", "none"), (.toastui, "title", "none"),
        (.ysnackbar, "title", "none"), (.inapp, "title", "none"),
        (.noticeui, "spokenPrefix", true), (.toaster, "spokenPrefix", true), (.ysnackbar, "spokenPrefix", false),
        // Looks
        (.toastui, "dimsBackground", true), (.toaster, "dimsBackground", false), (.inapp, "dimsBackground", false),
        (.toastui, "appearance/layout/cornerRadius", 9), (.toastui, "appearance/layout/inset", 16),
        (.toastui, "appearance/backgroundColor", "#F2F2F7"), (.toastui, "appearance/backgroundColorDark", "#1C1C1E"),
        (.toaster, "appearance/layout/cornerRadius", 8), (.inapp, "appearance/layout/cornerRadius", 32),
        (.inapp, "appearance/layout/iconSpacing", 8), (.ysnackbar, "appearance/layout/cornerRadius", 4),
        (.ysnackbar, "appearance/elevation/blur", 6.33),
    ]

    @Test(arguments: facts)
    func aPresetIsWhatItsSystemIs(name: PresetName, path: String, value: JSON) throws {
        let effective = try Self.json(try Settings(json: ["preset": .string(name.rawValue)]).effective)
        let held = try #require(Self.value(at: path, in: effective))
        // The order of members does not matter.
        #expect(Self.sorted(held) == Self.sorted(value))
    }

    private static func json(_ value: some JSONWritable) throws -> JSON {
        var writer = JSONWriter()
        writer.value(value)
        return try JSON(parsing: writer.bytes)
    }

    private static func value(at path: String, in json: JSON) -> JSON? {
        path.split(separator: "/").reduce(json) { $0?[String($1)] }
    }

    private static func sorted(_ json: JSON) -> JSON {
        guard let object = json.object else { return json }
        var sorted = JSONObject()
        for (name, value) in object.sorted(by: { $0.key < $1.key }) { sorted[name] = Self.sorted(value) }
        return .object(sorted)
    }

    private static func leaves(of json: JSON) -> [[String]] {
        guard let object = json.object else { return [[]] }
        return object.flatMap { name, value in Self.leaves(of: value).map { [name] + $0 } }
    }
}
