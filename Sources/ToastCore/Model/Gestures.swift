/// What a tap beside the buttons does: nothing, so that a reader does not lose the toast (NoticeUI), or it dismisses
/// the toast (In-App).
private enum Tap: String, CaseIterable { case none, dismiss }

/// The direction of a swipe; left and right are those of the screen, whatever the writing direction.
private enum Direction: String, CaseIterable { case up, down, left, right }

extension ViewerSetting {
    /// How a swipe dismisses a toast: in these directions, beyond a distance in points when the toast is let go.
    ///
    /// Beyond the predicted distance, if there is one, a flick dismisses, too. The prediction is how much farther the
    /// toast would move by its speed at the release.
    private static let swipe = Self.group([
        "directions": .value { $0.directions($1) },
        "threshold": .number(in: 1...1000),
        "predictedThreshold": .number(in: 1...1000),
    ])

    /// The gestures of a toast, so that they are the same in every viewer; swipes by the toast's placement.
    static let gestures = Self.group([
        "swipe": .group(["top": .swipe, "center": .swipe, "bottom": .swipe]),
        "tap": .value { $0.choice($1, Tap.self).map { JSON.string($0.rawValue) } },
    ])
}

extension Issues {
    fileprivate mutating func directions(_ value: JSON) -> JSON? {
        guard let values = self.array(value) else { return nil }
        guard values.count <= Direction.allCases.count, Set(values).count == values.count else {
            return self.refuse("Each direction is named at most once.")
        }
        let directions: [Direction] = values.enumerated().compactMap { index, value in
            self.member(String(index)) { issues in issues.choice(value, Direction.self) }
        }
        return JSON.array(directions.map { JSON.string($0.rawValue) })
    }
}
