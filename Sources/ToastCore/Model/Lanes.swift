/// How a channel's screen is divided into lanes with a queue each.
public enum Lanes: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// One for all toasts.
    case shared

    /// One for each placement, independent of the others (Y-Snackbar).
    case placement
}
