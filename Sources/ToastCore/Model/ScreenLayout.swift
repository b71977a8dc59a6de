extension ViewerSetting {
    /// Where toasts are on the screen, in points: pixels of CSS.
    ///
    /// `spacing` is the space between two toasts of a stack, `inset` that between toasts and the edges of the screen.
    static let layout = Self.group([
        "spacing": .distance, "inset": .inset, "maximumWidth": .value { $0.maximumWidth($1) },
    ])

    private static let edges = Self.group([
        "top": .distance, "bottom": .distance, "leading": .distance, "trailing": .distance,
    ])

    /// One number where all edges have it, else an object of all four; there always is an old one.
    private static let inset = Self { value, old, issues in
        guard value.object != nil else { return Self.distance.lay(value, old, &issues) }
        let inset = Self.edges.lay(value, old?.insetByEdge, &issues)
        let distances = Set((inset?.object ?? [:]).map { $0.value })
        return distances.count == 1 ? distances.first : inset
    }
}

extension JSON {
    /// An inset as an object: a single number is that of each edge.
    var insetByEdge: JSON {
        self.object == nil ? ["top": self, "bottom": self, "leading": self, "trailing": self] : self
    }
}

extension Issues {
    /// The greatest width of a toast: a number of points, the name `unlimited` for the width between the insets, or
    /// `style` for the style's own, as in the system that it reproduces: 428 for a snack, the screen's for a banner.
    fileprivate mutating func maximumWidth(_ value: JSON) -> JSON? {
        switch value {
        case "style", "unlimited": return value
        case .integer, .double: return self.number(value, in: 1...10_000).map { JSON(number: $0) }
        default: return self.refuse(#"A number of points, "style" or "unlimited" is expected."#)
        }
    }
}
