/// In which order a channel's toasts come, and what a new one does to the others.
public enum QueueMode: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// One after the other, as they were enqueued.
    case fifo

    /// The most urgent role first, as they were enqueued within a role; never interrupts what is shown.
    case priority

    /// The newest only: it ends what is shown and all that waits.
    case replaceAll
}
