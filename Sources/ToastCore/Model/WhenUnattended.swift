/// What a channel does while nobody is attached.
public enum WhenUnattended: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// Toasts wait until someone can see them.
    case hold

    /// Toasts come and go all the same.
    case present
}
