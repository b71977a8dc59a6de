/// What a channel does without an audience.
public enum WhenUnattended: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// Toasts wait for an audience.
    case hold

    /// Toasts are presented all the same.
    case present
}
