/// Where on the screen a toast is.
public enum Placement: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// At the top edge.
    case top
    /// In the middle.
    case center
    /// At the bottom edge.
    case bottom
}
