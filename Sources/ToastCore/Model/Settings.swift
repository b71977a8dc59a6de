/// What a channel sets for itself; what it leaves out, the server's preset decides.
public struct Settings: Hashable, Sendable {
    /// The order of toasts.
    public var mode: QueueMode?

    /// The look of toasts that name none.
    public var style: StyleName?

    /// The place of toasts that name none.
    public var placement: Placement?

    /// The duration of toasts that name none.
    public var duration: ToastDuration?

    /// The haptic of toasts that name none.
    public var haptic: Haptic?

    /// What happens while nobody is attached.
    public var whenUnattended: WhenUnattended?

    /// How many toasts may wait.
    public var capacity: Int?

    /// How long toasts that do not say so may wait.
    public var expiresAfter: Interval?

    /// The capacities that can be set.
    public static let capacities = 1...10_000

    /// Nothing set.
    public init() {}

    /// Reads settings.
    ///
    /// Unlike on toasts, a member that is not known is an error: it would be a setting that silently does nothing.
    ///
    /// - Parameter json: An object; `null` in it means not set.
    /// - Throws: Everything that is wrong with it.
    public init(json: JSON) throws(ValidationError) {
        self = try Self().applying(json)
    }

    /// The settings that a JSON Merge Patch (RFC 7396) makes of these.
    ///
    /// - Parameter patch: An object; `null` in it unsets a member.
    /// - Returns: The changed settings.
    /// - Throws: Everything that is wrong with it.
    public func applying(_ patch: JSON) throws(ValidationError) -> Self {
        var issues = Issues(limits: .standard)
        var settings = self
        if let object = issues.object(patch) {
            for (name, value) in object {
                issues.member(name) { issues in settings.set(name, value, &issues) }
            }
        }
        try issues.check()
        return settings
    }

    private mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        let value: JSON? = value == .null ? nil : value
        switch name {
        case "mode": self.mode = value.flatMap { issues.choice($0, QueueMode.self) }
        case "style": self.style = value.flatMap { issues.style($0) }
        case "placement": self.placement = value.flatMap { issues.choice($0, Placement.self) }
        case "duration": self.duration = value.flatMap { issues.duration($0) }
        case "haptic": self.haptic = value.flatMap { issues.choice($0, Haptic.self) }
        case "whenUnattended": self.whenUnattended = value.flatMap { issues.choice($0, WhenUnattended.self) }
        case "capacity": self.capacity = value.flatMap { issues.integer($0, in: Self.capacities) }
        case "expiresAfter": self.expiresAfter = value.flatMap { issues.seconds($0) }
        default: issues.note("There is no such setting.")
        }
    }

    /// These settings, and the server's preset for what they leave out.
    public var effective: EffectiveSettings { EffectiveSettings(self) }
}

extension Settings: JSONWritable {
    /// Writes what is set.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("mode", self.mode)
            writer.member("style", self.style)
            writer.member("placement", self.placement)
            writer.member("duration", self.duration)
            writer.member("haptic", self.haptic)
            writer.member("whenUnattended", self.whenUnattended)
            writer.member("capacity", self.capacity)
            writer.member("expiresAfter", self.expiresAfter)
        }
    }
}
