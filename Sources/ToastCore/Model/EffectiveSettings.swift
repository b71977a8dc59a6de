/// What holds for a channel, with nothing left open.
///
/// A new setting is a property with the server's own value, a line in `set`, and a line in `write`.
public struct EffectiveSettings: Hashable, Sendable {
    // What the engine asks for at each deadline stands in front: see ``Engine``.

    /// The order of toasts.
    public var mode = QueueMode.fifo

    /// How the screen is divided.
    public var lanes = Lanes.shared

    /// When a new toast is one that is there already.
    public var deduplication = Deduplication.none

    /// What happens while nobody is attached.
    public var whenUnattended = WhenUnattended.hold

    /// Whether a toast's announcement begins with its role, as in "error," (Toaster).
    public var spokenPrefix = true

    /// What can be felt of toasts whose haptic is automatic.
    public var haptics = Haptics()

    // These are small, and stand where they take no memory of their own.

    /// Whose settings hold where the channel has none.
    public var preset = PresetName.toastd

    /// The place of toasts that name none.
    public var placement = Placement.top

    /// How many toasts of a stack's lane are on screen at once; `nil` for as many as there are, up to
    /// ``Engine/maximumVisible``.
    public var maxVisible: Int? = 3

    /// How long the screen stays empty between two toasts of a queue (NoticeUI).
    public var pause = Interval(milliseconds: 200)

    /// How long a toast stays on screen at least before a newer one ends it, in ``QueueMode/replaceAll``.
    public var minimumVisible = Interval.zero

    /// How toasts come, change places, and go.
    @Boxed public var animations = Animations()

    /// The look of toasts that name none.
    public var style = StyleName.glass

    /// The duration of toasts that name none: six seconds to read, as Toaster has it for WCAG 2.2.1.
    public var duration = ToastDuration.finite(Interval(seconds: 6))

    /// The haptic of toasts that name none.
    public var haptic = Haptic.automatic

    /// How many toasts may wait.
    public var capacity = 1000

    /// How long toasts that do not say so may wait; `nil` for as long as it takes.
    public var expiresAfter: Interval?

    /// The title of toasts that name none.
    public var title = DefaultTitle.automatic

    /// Whether what is behind toasts that do not say so is dimmed (ToastUI).
    public var dimsBackground = false

    /// Whether toasts have a button that closes them.
    public var closeButton = true

    /// Where toasts stand on the screen.
    @Boxed public var layout = ScreenLayout()

    /// What a person can do with a toast by hand.
    @Boxed public var gestures = Gestures()

    /// The colours that are set.
    @Boxed public var theme = Theme()

    /// How toasts look beyond their style; over it lies what a toast says itself.
    @Boxed public var appearance = Appearance()

    /// The capacities that can be set.
    public static let capacities = 1...10_000

    /// The numbers of toasts on screen that can be set.
    public static let visibleCounts = 1...100

    /// The server's own settings.
    init() {}

    /// Lays settings over these: the members that they name.
    mutating func lay(_ settings: JSONObject, _ issues: inout Issues) {
        for (name, value) in settings {
            issues.member(name) { issues in self.set(name, value, &issues) }
        }
    }

    private mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "preset": self.preset = issues.choice(value, PresetName.self) ?? self.preset
        case "mode": self.mode = issues.choice(value, QueueMode.self) ?? self.mode
        case "lanes": self.lanes = issues.choice(value, Lanes.self) ?? self.lanes
        case "deduplication":
            self.deduplication = issues.choice(value, Deduplication.self) ?? self.deduplication
        case "maxVisible":
            self.maxVisible = value == "unlimited" ? nil : issues.integer(value, in: Self.visibleCounts)
        case "pause": self.pause = issues.length(value, in: 0...10) ?? self.pause
        case "minimumVisible": self.minimumVisible = issues.length(value, in: 0...10) ?? self.minimumVisible
        case "style": self.style = issues.style(value) ?? self.style
        case "placement": self.placement = issues.choice(value, Placement.self) ?? self.placement
        case "duration": self.duration = issues.duration(value) ?? self.duration
        case "haptic": self.haptic = issues.choice(value, Haptic.self) ?? self.haptic
        case "whenUnattended":
            self.whenUnattended = issues.choice(value, WhenUnattended.self) ?? self.whenUnattended
        case "capacity": self.capacity = issues.integer(value, in: Self.capacities) ?? self.capacity
        case "expiresAfter": self.expiresAfter = issues.seconds(value)
        case "title": self.title = issues.choice(value, DefaultTitle.self) ?? self.title
        case "dimsBackground": self.dimsBackground = issues.bool(value) ?? self.dimsBackground
        case "closeButton": self.closeButton = issues.bool(value) ?? self.closeButton
        case "spokenPrefix": self.spokenPrefix = issues.bool(value) ?? self.spokenPrefix
        case "haptics": self.haptics.lay(value, &issues)
        case "layout": self.layout.lay(value, &issues)
        case "animations": self.animations.lay(value, &issues)
        case "gestures": self.gestures.lay(value, &issues)
        case "theme": self.theme.lay(value, &issues)
        case "appearance": self.appearance.lay(value, &issues)
        default: issues.unknownMember()
        }
    }
}

extension EffectiveSettings: JSONWritable {
    /// Writes all settings; `expiresAfter` is `null` when nothing expires.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("preset", self.preset)
            writer.member("mode", self.mode)
            writer.member("lanes", self.lanes)
            writer.member("deduplication", self.deduplication)
            writer.name("maxVisible")
            if let maxVisible = self.maxVisible { writer.value(maxVisible) } else { writer.string("unlimited") }
            writer.member("pause", self.pause)
            writer.member("minimumVisible", self.minimumVisible)
            writer.member("style", self.style)
            writer.member("placement", self.placement)
            writer.member("duration", self.duration)
            writer.member("haptic", self.haptic)
            writer.member("whenUnattended", self.whenUnattended)
            writer.member("capacity", self.capacity)
            writer.name("expiresAfter")
            if let expiresAfter = self.expiresAfter { writer.value(expiresAfter) } else { writer.null() }
            writer.member("title", self.title)
            writer.member("dimsBackground", self.dimsBackground)
            writer.member("closeButton", self.closeButton)
            writer.member("spokenPrefix", self.spokenPrefix)
            writer.member("haptics", self.haptics)
            writer.member("layout", self.layout)
            writer.member("animations", self.animations)
            writer.member("gestures", self.gestures)
            writer.member("theme", self.theme)
            writer.member("appearance", self.appearance)
        }
    }
}
