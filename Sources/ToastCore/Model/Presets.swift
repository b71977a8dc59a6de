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
    /// Its name.
    public let name: PresetName

    /// What it reproduces, in a sentence.
    public let summary: String

    /// What it sets.
    public let settings: JSONObject

    /// All presets, by name.
    ///
    /// Each is one object that can be read beside the system's own documentation.
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

    private static let toastd = Self(
        name: .toastd,
        summary: "NoticeUI's looks and timing with Toaster's accessibility: the default.",
        settings: ["mode": "fifo", "style": "glass", "placement": "top", "duration": 6]
    )

    private static let noticeui = Self(
        name: .noticeui,
        summary: "NoticeUI: one toast after the other, with an exit and a pause between them.",
        settings: ["mode": "fifo", "style": "glass", "placement": "top", "duration": "short", "pause": 0.2]
    )

    private static let toaster = Self(
        name: .toaster,
        summary: "Toaster: one banner at the bottom, whose content is swapped in place.",
        settings: [
            "mode": "replace", "deduplication": "equal", "style": "toaster", "placement": "bottom", "duration": 6,
        ]
    )

    private static let toastui = Self(
        name: .toastui,
        summary: "ToastUI: one box in the middle, which refuses others while it is there.",
        settings: ["mode": "reject", "style": "toastui", "placement": "center", "duration": "indefinite"]
    )

    private static let ysnackbar = Self(
        name: .ysnackbar,
        summary: "Y-Snackbar: stacks of snacks at the top and at the bottom, without duplicates.",
        settings: [
            "mode": "stack", "lanes": "placement", "deduplication": "identity", "maxVisible": "unlimited",
            "style": "snackbar", "placement": "top", "duration": 4,
            "animations": [
                "enter": ["duration": 0.4, "curve": "spring", "damping": 0.6, "velocity": 0.4],
                "move": ["duration": 0.3, "curve": "easeInOut"],
                "exit": ["duration": 0.3, "curve": "easeOut"],
            ],
        ]
    )

    private static let inapp = Self(
        name: .inapp,
        summary: "In-App Notification System: one banner at the top, above everything, replaced at once.",
        settings: ["mode": "replace", "style": "material", "placement": "top", "duration": 3]
    )
}
