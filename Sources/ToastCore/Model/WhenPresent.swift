/// What becomes of a new toast while one of its reuse identifier is queued or on screen.
///
/// Without it the channel's ``Deduplication`` decides.
public enum WhenPresent: String, CaseIterable, Hashable, Sendable {
    /// It replaces the content of that toast.
    case replace
}
