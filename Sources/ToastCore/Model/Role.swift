/// What a toast is about; decides its colour, its icon, its own title and how urgently it is spoken.
public enum Role: String, CaseIterable, Hashable, Sendable, JSONWritable {
    case success, error, warning
    /// The role of a toast without one (NoticeUI).
    case info
}

struct ByRole<Value: Hashable & Sendable>: Hashable, Sendable {
    var success, error, warning, info: Value

    @inline(__always)
    subscript(role: Role) -> Value {
        switch role {
        case .success: self.success
        case .error: self.error
        case .warning: self.warning
        case .info: self.info
        }
    }
}
