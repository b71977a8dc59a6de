/// Where a toast is along its edge of the screen, in the direction of reading.
public enum Alignment: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// Where lines begin: on the left where people read from left to right.
    case start
    /// In the middle.
    case center
    /// Where lines end.
    case end
}
