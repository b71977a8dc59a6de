/// The title of a toast without one.
public enum DefaultTitle: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// The role's own title (NoticeUI).
    case automatic

    /// None: there is a title only where the publisher writes one.
    case none
}
