/// The name of a preset.
public enum PresetName: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// This service's own: NoticeUI's looks and timing with Toaster's accessibility.
    case toastd
    /// NoticeUI 1.7.1.
    case noticeui
    /// Toaster 0.5.0.
    case toaster
    /// ToastUI 3.0.1.
    case toastui
    /// Y-Snackbar 1.1.2.
    case ysnackbar
    /// The In-App Notification System of ButchSDK.
    case inapp
}

/// Settings that together make a channel behave as one toast system does.
public struct Preset: Sendable {
    /// A row of a preset's table: a setting, its value, and its source.
    public struct Value: Sendable {
        /// The path of the setting, as in `animations/exit/duration`.
        public let path: String
        /// The value of the setting.
        public let value: JSON
        /// Where the value comes from: a section of the system's documentation, its source, or a decision of this
        /// service.
        public let source: String

        init(_ path: String, _ value: JSON, _ source: String) {
            self.path = path
            self.value = value
            self.source = source
        }
    }

    /// Its name.
    public let name: PresetName

    /// What it reproduces, in a sentence.
    public let summary: String

    /// Its table.
    public let values: [Value]

    /// The settings of the table as an object.
    public let settings: JSONObject

    /// The settings of a channel that chooses this preset and sets nothing else.
    let effective: EffectiveSettings

    /// A preset as a table that can be compared with the system's own documentation.
    init(_ name: PresetName, _ summary: String, _ values: [Value]) {
        self.name = name
        self.summary = summary
        self.values = values
        self.settings = values.reduce(into: [:]) { settings, value in
            settings.set(value.value, at: value.path.split(separator: "/")[...])
        }
        var effective = EffectiveSettings()
        // A test checks that there are no issues.
        var issues = Issues(limits: .standard)
        effective.lay(members: self.settings, &issues)
        self.effective = effective
    }

    /// The preset of a name.
    public static func named(_ name: PresetName) -> Self {
        switch name {
        case .toastd: .toastd
        case .noticeui: .noticeui
        case .toaster: .toaster
        case .toastui: .toastui
        case .ysnackbar: .ysnackbar
        case .inapp: .inapp
        }
    }
}

extension Preset: JSONWritable {
    /// Writes `{"name", "summary", "own", "sources"}`; the sources are named by the path of their setting.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", self.name)
            writer.member("summary", self.summary)
            writer.member("own", self.settings)
            writer.object("sources") { writer in
                for value in self.values { writer.member(named: value.path, value.source) }
            }
        }
    }
}

extension JSONObject {
    /// Sets the value at a path, and creates the objects on it.
    fileprivate mutating func set(_ value: JSON, at path: ArraySlice<Substring>) {
        guard let name = path.first.map(String.init) else { return }
        guard path.count > 1 else { return self[name] = value }
        var inner = self[name]?.object ?? [:]
        inner.set(value, at: path.dropFirst())
        self[name] = .object(inner)
    }
}
