/// In which order a channel's toasts come, and what a new one does to the others.
public enum QueueMode: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// One after the other, as they were enqueued (NoticeUI).
    case fifo

    /// The most urgent role first, as they were enqueued within a role; never interrupts what is shown (NoticeUI).
    case priority

    /// The newest only: it ends what is shown and all that waits, and comes when the exit is over (NoticeUI).
    case replaceAll

    /// The newest only: it takes the place of the one on screen without waiting for an exit (Toaster, In-App).
    case replace

    /// Several at once, each with its own time, the newest last (Y-Snackbar).
    case stack

    /// One only: while it is there, further ones are refused (ToastUI).
    case reject
}
