/// What becomes of a new toast while another with its reuse identifier is queued or on screen.
///
/// Without it the channel's ``Deduplication`` decides.
public enum WhenPresent: String, CaseIterable, Hashable, Sendable {
    /// It replaces the content of the other toast.
    case replace
}
