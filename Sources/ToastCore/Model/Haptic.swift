/// The haptic feedback when a toast appears (NoticeUI's eight cases).
public enum Haptic: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// The haptic of the role: see ``Haptics``.
    case automatic
    /// The system's pattern for success.
    case success
    /// The system's pattern for a warning.
    case warning
    /// The system's pattern for an error.
    case error
    /// A light tap.
    case light
    /// A medium tap.
    case medium
    /// A heavy tap.
    case heavy
    /// Nothing.
    case none
}
