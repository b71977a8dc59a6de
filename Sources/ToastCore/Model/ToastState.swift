/// The state of a toast; it only moves forward.
public enum ToastState: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// It waits to be presented. Entered when enqueued; left by presentation or dismissal.
    case queued
    /// It is on screen. Entered by presentation; left by dismissal.
    case presented
    /// It has ended, and stays so.
    case dismissed
}
