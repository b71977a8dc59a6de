/// The haptic feedback when a toast appears (NoticeUI's eight cases).
public enum Haptic: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// The haptic of the role: see ``Haptics``.
    case automatic
    case success, warning, error, light, medium, heavy, none
}
