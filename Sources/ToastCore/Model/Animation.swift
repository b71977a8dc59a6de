/// A movement: its length and its curve.
///
/// The engine uses only the length; the rest is for viewers, so that all of them move alike.
public struct Animation: Hashable, Sendable {
    /// The course of a movement over time; "in" is slow at first, "out" at the end.
    public enum Curve: String, CaseIterable, Hashable, Sendable, JSONWritable {
        case linear, easeIn, easeOut, easeInOut
        /// A spring, as ``Animation/response``, ``Animation/damping`` and ``Animation/velocity`` describe it.
        case spring
    }

    /// How long it takes, without the delay.
    public var duration = Interval.zero

    /// How long it waits before it begins.
    public var delay = Interval.zero

    /// Its course.
    public var curve = Curve.easeInOut

    /// A spring's stiffness, as the period of its undamped oscillation in seconds (SwiftUI); `nil` for the duration.
    public var response: Double?

    /// How much a spring is damped: 1 does not overshoot (SwiftUI and UIKit call it the damping ratio).
    public var damping: Double?

    /// A spring's velocity at its start, in lengths of the whole movement per second (UIKit).
    public var velocity: Double?

    /// An animation along a curve.
    public init(_ curve: Curve, seconds: Double) {
        self.curve = curve
        self.duration = Interval(seconds: seconds)
    }

    /// A spring.
    public init(spring damping: Double, response: Double, seconds: Double) {
        self.init(.spring, seconds: seconds)
        self.damping = damping
        self.response = response
    }

    /// The time from the start to the end, the delay included.
    public var length: Interval { self.delay + self.duration }

    /// The longest delay, and the longest duration.
    private static let longest = 10.0
}

extension Animation: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .value("duration", \.duration) { $0.length($1, in: 0...Self.longest) },
        SettingMember(
            "delay",
            read: { $1.delay = $2.length($0, in: 0...Self.longest) ?? $1.delay },
            write: { if $0.delay > .zero { $1.member("delay", $0.delay) } }
        ),
        .choice("curve", \.curve),
        Self.springMember("response", \.response, in: 0.01...Self.longest),
        Self.springMember("damping", \.damping, in: 0.01...10),
        Self.springMember("velocity", \.velocity, in: -100...100),
    ]

    /// Lays an object over this animation: the members that it names.
    ///
    /// An object with a `curve` resets the values of a spring.
    mutating func lay(_ value: JSON, _ issues: inout Issues) {
        guard let object = issues.object(value) else { return }
        if object["curve"] != nil { (self.response, self.damping, self.velocity) = (nil, nil, nil) }
        self.lay(members: object, &issues)
    }

    /// A number that is written only for a spring.
    private static func springMember(
        _ name: StaticString,
        _ path: SettingMember<Self>.Path<Double?>,
        in range: ClosedRange<Double>
    ) -> SettingMember<Self> {
        SettingMember(
            name.description,
            read: { $1[keyPath: path] = $2.number($0, in: range) ?? $1[keyPath: path] },
            write: { if $0.curve == .spring { $1.member(name, $0[keyPath: path]) } }
        )
    }
}

/// How toasts come, change places, and go.
public struct Animations: Hashable, Sendable {
    /// How a toast comes on screen.
    ///
    /// In a stack, its time begins when this is over (Y-Snackbar).
    public var enter = Animation(spring: 0.8, response: 0.35, seconds: 0.35)

    /// How a toast moves to another place, or replaces another toast.
    public var move = Animation(.easeInOut, seconds: 0.3)

    /// How a toast leaves the screen; it occupies its place until the end.
    public var exit = Animation(spring: 0.8, response: 0.35, seconds: 0.35)
}

extension Animations: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .group("enter", \.enter), .group("move", \.move), .group("exit", \.exit),
    ]
}
