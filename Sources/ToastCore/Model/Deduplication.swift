/// When a new toast counts as an existing one.
public enum Deduplication: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// Never.
    case none

    /// When both have the same reuse identifier, or else the same title and message: the existing toast takes the new
    /// one's content, becomes the newest, and gets its full time again (Y-Snackbar).
    case identity

    /// When role, title, message and duration are the same: nothing happens at all (Toaster).
    case equal
}
