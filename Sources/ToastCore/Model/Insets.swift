/// The space between toasts and the edges of the screen, in points.
public struct Insets: Hashable, Sendable {
    /// At the upper edge.
    public var top: Double

    /// At the lower edge.
    public var bottom: Double

    /// At the edge where lines begin.
    public var leading: Double

    /// At the edge where lines end.
    public var trailing: Double

    /// The distances that can be set.
    private static let distances = 0.0...1000

    /// The same at all edges.
    public init(_ distance: Double) {
        (self.top, self.bottom, self.leading, self.trailing) = (distance, distance, distance, distance)
    }
}

extension Insets: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .value("top", \.top) { $0.number($1, in: Self.distances) },
        .value("bottom", \.bottom) { $0.number($1, in: Self.distances) },
        .value("leading", \.leading) { $0.number($1, in: Self.distances) },
        .value("trailing", \.trailing) { $0.number($1, in: Self.distances) },
    ]

    /// Lays a number for all edges over this, or an object: the edges that it names.
    mutating func lay(_ value: JSON, _ issues: inout Issues) {
        if let object = value.object { return self.lay(members: object, &issues) }
        self = issues.number(value, in: Self.distances).map { Self($0) } ?? self
    }

    /// Writes one number where all edges have it, else an object.
    func write(to writer: inout JSONWriter) {
        guard self != Self(self.top) else { return self.top.write(to: &writer) }
        self.writeMembers(to: &writer)
    }
}

extension Insets: ExpressibleByIntegerLiteral {
    /// The same at all edges.
    public init(integerLiteral distance: Int) { self.init(Double(distance)) }
}
