/// Where on the screen a toast is.
public enum Placement: String, CaseIterable, Hashable, Sendable, JSONWritable {
    case top, center, bottom
}
