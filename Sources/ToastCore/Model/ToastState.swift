/// How far a toast is in its life; it only ever moves forward.
public enum ToastState: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// It waits for its turn. Entered when enqueued; left by presentation or dismissal.
    case queued
    /// It is on screen. Entered by presentation; left by dismissal.
    case presented
    /// It is gone, and stays so.
    case dismissed
}
