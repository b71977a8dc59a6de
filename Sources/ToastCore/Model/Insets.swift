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

    /// Lays a number for all edges over this, or an object: the edges that it names.
    mutating func lay(_ value: JSON, _ issues: inout Issues) {
        guard let object = value.object else {
            self = issues.number(value, in: Self.distances).map { Self($0) } ?? self
            return
        }
        for (name, value) in object {
            issues.member(name) { issues in self.set(name, value, &issues) }
        }
    }

    private mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "top": self.top = issues.number(value, in: Self.distances) ?? self.top
        case "bottom": self.bottom = issues.number(value, in: Self.distances) ?? self.bottom
        case "leading": self.leading = issues.number(value, in: Self.distances) ?? self.leading
        case "trailing": self.trailing = issues.number(value, in: Self.distances) ?? self.trailing
        default: issues.unknownMember()
        }
    }
}

extension Insets: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// The same at all edges.
    public init(integerLiteral distance: Int) { self.init(Double(distance)) }

    /// The same at all edges.
    public init(floatLiteral distance: Double) { self.init(distance) }
}

extension Insets: JSONWritable {
    /// Writes one number where all edges have it, else `{"top", "bottom", "leading", "trailing"}`.
    public func write(to writer: inout JSONWriter) {
        guard self != Self(self.top) else { return self.top.write(to: &writer) }
        writer.object { writer in
            writer.member("top", self.top)
            writer.member("bottom", self.bottom)
            writer.member("leading", self.leading)
            writer.member("trailing", self.trailing)
        }
    }
}
