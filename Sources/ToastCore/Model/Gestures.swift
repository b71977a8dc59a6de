/// What a person can do with a toast by hand, so that every viewer lets them do the same.
public struct Gestures: Hashable, Sendable {
    /// What a tap beside the buttons does.
    public enum Tap: String, CaseIterable, Hashable, Sendable, JSONWritable {
        /// Nothing: who only wants to read should not lose the toast (NoticeUI).
        case none
        /// It dismisses the toast (In-App).
        case dismiss
    }

    /// How a swipe dismisses a toast, by its placement.
    public var swipe = Swipes()

    /// What a tap beside the buttons does.
    public var tap = Tap.none

    /// The server's own: NoticeUI's.
    init() {}
}

/// How a swipe dismisses a toast, by its placement.
public struct Swipes: Hashable, Sendable {
    private var top = Swipe([.up])
    private var center = Swipe([.left, .right])
    private var bottom = Swipe([.down])

    /// How a swipe dismisses a toast of a placement.
    public subscript(placement: Placement) -> Swipe {
        switch placement {
        case .top: self.top
        case .center: self.center
        case .bottom: self.bottom
        }
    }
}

/// How a swipe dismisses a toast.
public struct Swipe: Hashable, Sendable {
    /// Where a swipe goes.
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

    /// How far the toast must have been moved when it is let go, in points; a swipe that went farther dismisses.
    public private(set) var threshold = 40.0

    /// How far the toast would still have moved on its own when it was let go, in points: a flick that would have gone
    /// farther dismisses, too; `nil` when only the way counts.
    public private(set) var predictedThreshold: Double?

    init(_ directions: [Direction]) {
        self.directions = directions
    }
}

extension Gestures: Layered {
    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "swipe": self.swipe.lay(value, &issues)
        case "tap": self.tap = issues.choice(value, Tap.self) ?? self.tap
        default: issues.unknownMember()
        }
    }
}

extension Swipes: Layered {
    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch Placement(rawValue: name) {
        case .top: self.top.lay(value, &issues)
        case .center: self.center.lay(value, &issues)
        case .bottom: self.bottom.lay(value, &issues)
        case nil: issues.unknownMember()
        }
    }
}

extension Swipe: Layered {
    /// The distances that can be set.
    private static let distances = 1.0...1000

    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "directions": self.directions = issues.directions(value) ?? self.directions
        case "threshold": self.threshold = issues.number(value, in: Self.distances) ?? self.threshold
        case "predictedThreshold":
            self.predictedThreshold = issues.number(value, in: Self.distances) ?? self.predictedThreshold
        default: issues.unknownMember()
        }
    }
}

extension Issues {
    fileprivate mutating func directions(_ value: JSON) -> [Swipe.Direction]? {
        guard let values = self.array(value) else { return nil }
        guard values.count <= Swipe.Direction.allCases.count, Set(values).count == values.count else {
            return self.refuse("Each direction is named at most once.")
        }
        var directions: [Swipe.Direction] = []
        for (index, value) in values.enumerated() {
            let direction = self.member("\(index)") { issues in issues.choice(value, Swipe.Direction.self) }
            if let direction { directions.append(direction) }
        }
        return directions
    }
}

extension Gestures: JSONWritable {
    /// Writes `{"swipe", "tap"}`.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("swipe", object: self.swipe.writeMembers)
            writer.member("tap", self.tap)
        }
    }
}

extension Swipes {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        for placement in Placement.allCases {
            let swipe = self[placement]
            writer.escapedName(placement.rawValue)
            writer.object { writer in
                writer.member("directions", swipe.directions)
                writer.member("threshold", swipe.threshold)
                writer.member("predictedThreshold", swipe.predictedThreshold)
            }
        }
    }
}
