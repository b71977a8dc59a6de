/// The settings that apply to a channel, all of them with a value.
///
/// A new setting is a property with the server's own value, and a row of ``members``.
public struct EffectiveSettings: Hashable, Sendable {
    // Fields that a tick reads come first: see ``Engine``.

    /// The order of toasts.
    public var mode = QueueMode.fifo

    /// How the screen is divided.
    public var lanes = Lanes.shared

    /// When a new toast counts as an existing one.
    public var deduplication = Deduplication.none

    /// What happens while there is no audience.
    public var whenUnattended = WhenUnattended.hold

    /// Whether a toast's announcement begins with its role, as in "error," (Toaster).
    public var spokenPrefix = true

    /// The haptic feedback of toasts whose haptic is automatic.
    public var haptics = Haptics()

    // These are small, and fit into padding.

    /// The preset, whose settings apply where the channel sets none.
    public var preset = PresetName.toastd

    /// The placement of toasts without one.
    public var placement = Placement.top

    /// The alignment of toasts without one.
    public var align = Alignment.center

    /// How several toasts of one edge are drawn.
    public var stack = StackLayout.expanded

    /// How many toasts of a stack's lane are on screen at once, at most 100; `nil` for as many as there are, up to
    /// ``Engine/maximumVisible``.
    public var maxVisible: Int? = 3

    /// How long the screen stays empty between two toasts of a queue (NoticeUI).
    public var pause = Interval(milliseconds: 200)

    /// How long a toast stays on screen at least before a newer one replaces it, in ``QueueMode/replaceAll``.
    public var minimumVisible = Interval.zero

    /// How toasts come, change places, and go.
    @Boxed public var animations = Animations()

    /// The style of toasts without one.
    public var style = StyleName.glass

    /// The duration of toasts without one: six seconds to read, as Toaster has it for WCAG 2.2.1.
    public var duration = ToastDuration.finite(Interval(seconds: 6))

    /// The haptic of toasts without one.
    public var haptic = Haptic.automatic

    /// How many toasts may wait.
    public var capacity = 1000

    /// How long toasts without `expiresAfter` may wait; `nil` for indefinitely.
    public var expiresAfter: Interval?

    /// The title of toasts without one.
    public var title = DefaultTitle.automatic

    /// Whether the background of toasts without `dimsBackground` is dimmed (ToastUI).
    public var dimsBackground = false

    /// Whether toasts have a button that closes them.
    public var closeButton = true

    /// Where toasts stand on the screen, as ``ViewerSetting/layout`` checks it.
    public var layout: JSONObject = ["spacing": 16, "inset": 16, "maximumWidth": "style"]

    /// The gestures on toasts, as ``ViewerSetting/gestures`` checks them.
    public var gestures: JSONObject = [
        "swipe": [
            "top": ["directions": ["up"], "threshold": 40],
            "center": ["directions": ["left", "right"], "threshold": 40],
            "bottom": ["directions": ["down"], "threshold": 40],
        ],
        "tap": "none",
    ]

    /// The colours that are set.
    @Boxed public var theme = Theme()

    /// How toasts look beyond their style, as ``ViewerSetting/appearance`` checks it; a toast's own overrides it.
    public var appearance: JSONObject = [:]

    /// The capacities that can be set.
    public static let capacities = 1...10_000
}

extension EffectiveSettings: SettingGroup, JSONWritable {
    static let members: [SettingMember<Self>] = [
        .choice("preset", \.preset),
        .choice("mode", \.mode),
        .choice("lanes", \.lanes),
        .choice("deduplication", \.deduplication),
        .optional("maxVisible", \.maxVisible, absent: "unlimited") { $0.integer($1, in: 1...100) },
        .value("pause", \.pause) { $0.length($1, in: 0...10) },
        .value("minimumVisible", \.minimumVisible) { $0.length($1, in: 0...10) },
        .value("style", \.style) { $0.style($1) },
        .choice("placement", \.placement),
        .choice("align", \.align),
        .choice("stack", \.stack),
        .value("duration", \.duration) { $0.duration($1) },
        .choice("haptic", \.haptic),
        .choice("whenUnattended", \.whenUnattended),
        .value("capacity", \.capacity) { $0.integer($1, in: Self.capacities) },
        .optional("expiresAfter", \.expiresAfter, absent: .null) { $0.seconds($1) },
        .choice("title", \.title),
        .value("dimsBackground", \.dimsBackground) { $0.bool($1) },
        .value("closeButton", \.closeButton) { $0.bool($1) },
        .value("spokenPrefix", \.spokenPrefix) { $0.bool($1) },
        .group("haptics", \.haptics),
        .viewer("layout", \.layout, .layout),
        .group("animations", \.animations),
        .viewer("gestures", \.gestures, .gestures),
        .group("theme", \.theme),
        .viewer("appearance", \.appearance, .appearance),
    ]

    /// Writes all settings; `expiresAfter` is `null` when nothing expires.
    public func write(to writer: inout JSONWriter) { self.writeMembers(to: &writer) }
}
