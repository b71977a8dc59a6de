/// The greatest width of a toast on the screen.
public enum MaximumWidth: Hashable, Sendable {
    /// The style's own, as in the system that it reproduces: 428 for a snack, the screen's for a banner.
    case style

    /// The width between the insets.
    case unlimited

    /// A width in points, from 1 to 10,000.
    case points(Double)
}

extension MaximumWidth: JSONWritable {
    /// Writes the number of points, `"style"` or `"unlimited"`.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .style: writer.plain("style")
        case .unlimited: writer.plain("unlimited")
        case .points(let points): points.write(to: &writer)
        }
    }
}

extension Issues {
    /// A number of points, or the name of a width.
    mutating func maximumWidth(_ value: JSON) -> MaximumWidth? {
        switch value {
        case .string("style"): return .style
        case .string("unlimited"): return .unlimited
        case .integer, .double: return self.number(value, in: 1...10_000).map(MaximumWidth.points)
        default: return self.refuse(#"A number of points, "style" or "unlimited" is expected."#)
        }
    }
}
