/// How something moves: for how long, and along which curve.
///
/// The engine needs only the length; the rest is for viewers, so that all of them move alike.
public struct Animation: Hashable, Sendable {
    /// The course of a movement over its time.
    public enum Curve: String, CaseIterable, Hashable, Sendable, JSONWritable {
        /// Even.
        case linear
        /// Slow at first.
        case easeIn
        /// Slow at last.
        case easeOut
        /// Slow at both ends.
        case easeInOut
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

    /// How much a spring is damped: 1 swings over not at all (SwiftUI and UIKit call it the damping ratio).
    public var damping: Double?

    /// A spring's velocity at its start, in distances of the whole movement a second (UIKit).
    public var velocity: Double?

    /// An animation along a curve.
    public init(_ curve: Curve, seconds: Double) {
        self.curve = curve
        self.duration = Interval(seconds: seconds)
    }

    /// A spring.
    public init(spring damping: Double, response: Double? = nil, velocity: Double? = nil, seconds: Double) {
        self.init(.spring, seconds: seconds)
        self.damping = damping
        self.response = response
        self.velocity = velocity
    }

    /// The time from the start to the end, the delay included.
    public var length: Interval { self.delay + self.duration }

    /// The longest delay, and the longest duration.
    private static let longest = 10.0

    /// Lays an object over this animation: the members that it names.
    ///
    /// A curve that is named begins afresh: nothing of the spring that was there before holds for it.
    mutating func lay(_ value: JSON, _ issues: inout Issues) {
        guard let object = issues.object(value) else { return }
        if object["curve"] != nil { (self.response, self.damping, self.velocity) = (nil, nil, nil) }
        for (name, value) in object {
            issues.member(name) { issues in self.set(name, value, &issues) }
        }
    }

    private mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "duration": self.duration = issues.length(value, in: 0...Self.longest) ?? self.duration
        case "delay": self.delay = issues.length(value, in: 0...Self.longest) ?? self.delay
        case "curve": self.curve = issues.choice(value, Curve.self) ?? self.curve
        case "response": self.response = issues.number(value, in: 0.01...Self.longest) ?? self.response
        case "damping": self.damping = issues.number(value, in: 0.01...10) ?? self.damping
        case "velocity": self.velocity = issues.number(value, in: -100...100) ?? self.velocity
        default: issues.unknownMember()
        }
    }
}

extension Animation: JSONWritable {
    /// Writes `{"duration", "delay", "curve", "response", "damping", "velocity"}`, without what does not apply.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("duration", self.duration)
            if self.delay > .zero { writer.member("delay", self.delay) }
            writer.member("curve", self.curve)
            guard self.curve == .spring else { return }
            writer.member("response", self.response)
            writer.member("damping", self.damping)
            writer.member("velocity", self.velocity)
        }
    }
}

/// How toasts come, change places, and go.
public struct Animations: Hashable, Sendable {
    /// How a toast comes on screen.
    ///
    /// In a stack its time begins when this is over (Y-Snackbar).
    public var enter = Animation(spring: 0.8, response: 0.35, seconds: 0.35)

    /// How a toast gets from one place to another, or one takes the place of another.
    public var move = Animation(.easeInOut, seconds: 0.3)

    /// How a toast leaves the screen, which it still takes up until then.
    public var exit = Animation(spring: 0.8, response: 0.35, seconds: 0.35)
}

extension Animations: Layered {
    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "enter": self.enter.lay(value, &issues)
        case "move": self.move.lay(value, &issues)
        case "exit": self.exit.lay(value, &issues)
        default: issues.unknownMember()
        }
    }
}

extension Animations: JSONWritable {
    /// Writes `{"enter", "move", "exit"}`.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("enter", self.enter)
            writer.member("move", self.move)
            writer.member("exit", self.exit)
        }
    }
}
