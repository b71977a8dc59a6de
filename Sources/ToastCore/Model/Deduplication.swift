/// When a new toast is one that is there already.
public enum Deduplication: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// Never.
    case none

    /// When both have a reuse identifier and it is the same, or else when title and message are: the toast that is there
    /// takes the new one's content, becomes the newest, and gets its full time again (Y-Snackbar).
    case identity

    /// When role, title, message and duration are the same: nothing happens at all (Toaster).
    case equal
}
