/// What a toast is about; decides its colour, its icon, its own title and how urgently it is spoken.
public enum Role: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// Something was done.
    case success
    /// Something failed.
    case error
    /// Something may go wrong.
    case warning
    /// Something is worth knowing; the role of a toast without one (NoticeUI).
    case info
}
