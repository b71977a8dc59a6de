/// Where toasts are on the screen, in points: pixels of CSS.
public struct ScreenLayout: Hashable, Sendable {
    /// The space between two toasts of a stack.
    public var spacing = 16.0

    /// The space between toasts and the edges of the screen.
    public var inset: Insets = 16

    /// The greatest width of a toast.
    public var maximumWidth = MaximumWidth.style

    /// The distances that can be set.
    private static let distances = 0.0...1000
}

extension ScreenLayout: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .value("spacing", \.spacing) { $0.number($1, in: Self.distances) },
        .group("inset", \.inset),
        .value("maximumWidth", \.maximumWidth) { $0.maximumWidth($1) },
    ]
}
