/// The gestures of a toast, so that they are the same in every viewer.
public struct Gestures: Hashable, Sendable {
    /// What a tap beside the buttons does.
    public enum Tap: String, CaseIterable, Hashable, Sendable, JSONWritable {
        /// Nothing, so that a reader does not lose the toast (NoticeUI).
        case none
        /// It dismisses the toast (In-App).
        case dismiss
    }

    /// How a swipe dismisses a toast, by its placement.
    public var swipe = Swipes()

    /// What a tap beside the buttons does.
    public var tap = Tap.none
}

/// How a swipe dismisses a toast, by its placement.
public struct Swipes: Hashable, Sendable {
    /// How it dismisses a toast at the top.
    public private(set) var top = Swipe(directions: [.up])

    /// How it dismisses a toast in the middle.
    public private(set) var center = Swipe(directions: [.left, .right])

    /// How it dismisses a toast at the bottom.
    public private(set) var bottom = Swipe(directions: [.down])
}

/// How a swipe dismisses a toast.
public struct Swipe: Hashable, Sendable {
    /// The direction of a swipe.
    public enum Direction: String, CaseIterable, Hashable, Sendable, JSONWritable {
        /// To the upper edge.
        case up
        /// To the lower edge.
        case down
        /// To the left edge, whatever the writing direction.
        case left
        /// To the right edge, whatever the writing direction.
        case right
    }

    /// The directions that dismiss; with none of them, no swipe does.
    public private(set) var directions: [Direction]

    /// The distance in points beyond which a swipe dismisses when the toast is let go.
    public private(set) var threshold = 40.0

    /// The predicted distance in points beyond which a flick dismisses, too; `nil` when there is no such rule.
    ///
    /// The prediction is how much farther the toast would move by its speed at the release.
    public private(set) var predictedThreshold: Double?
}

extension Gestures: SettingGroup {
    static let members: [SettingMember<Self>] = [.group("swipe", \.swipe), .choice("tap", \.tap)]
}

extension Swipes: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .group("top", \.top), .group("center", \.center), .group("bottom", \.bottom),
    ]
}

extension Swipe: SettingGroup {
    /// The distances that can be set.
    private static let distances = 1.0...1000

    static let members: [SettingMember<Self>] = [
        .value("directions", \.directions) { $0.directions($1) },
        .value("threshold", \.threshold) { $0.number($1, in: Self.distances) },
        .number("predictedThreshold", \.predictedThreshold, in: Self.distances),
    ]
}

extension Issues {
    fileprivate mutating func directions(_ value: JSON) -> [Swipe.Direction]? {
        guard let values = self.array(value) else { return nil }
        guard values.count <= Swipe.Direction.allCases.count, Set(values).count == values.count else {
            return self.refuse("Each direction is named at most once.")
        }
        return values.enumerated().compactMap { index, value in
            self.member(String(index)) { issues in issues.choice(value, Swipe.Direction.self) }
        }
    }
}
