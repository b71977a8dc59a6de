/// How a channel's screen is divided into places with a queue each.
public enum Lanes: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// One for all toasts.
    case shared

    /// One for each placement: what is at the top knows nothing of what is at the bottom (Y-Snackbar).
    case placement
}
