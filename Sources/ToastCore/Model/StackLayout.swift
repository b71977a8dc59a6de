/// How the toasts of one edge are drawn while there are several.
public enum StackLayout: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// All of them, one beside the other (Y-Snackbar).
    case expanded
    /// The newest one, with the edges of the others behind it, until a pointer, a finger or the focus comes near.
    case collapsed
}
