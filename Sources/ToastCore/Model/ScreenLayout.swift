/// Where toasts stand on the screen, in points: pixels of CSS.
public struct ScreenLayout: Hashable, Sendable {
    /// The space between two toasts of a stack.
    public var spacing = 16.0

    /// The space between toasts and the edges of the screen.
    public var inset: Insets = 16

    /// The greatest width of a toast; `nil` for all that the inset leaves.
    public var maximumWidth: Double? = 500

    /// The distances that can be set.
    private static let distances = 0.0...1000

    /// The server's own: NoticeUI's width, Y-Snackbar's distances.
    init() {}
}

extension ScreenLayout: Layered {
    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "spacing": self.spacing = issues.number(value, in: Self.distances) ?? self.spacing
        case "inset": self.inset.lay(value, &issues)
        case "maximumWidth": self.maximumWidth = value == "unlimited" ? nil : issues.number(value, in: 1...10_000)
        default: issues.unknownMember()
        }
    }
}

extension ScreenLayout: JSONWritable {
    /// Writes `{"spacing", "inset", "maximumWidth"}`.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("spacing", self.spacing)
            writer.member("inset", self.inset)
            writer.name("maximumWidth")
            if let maximumWidth = self.maximumWidth { writer.value(maximumWidth) } else { writer.string("unlimited") }
        }
    }
}
