/// The type of an envelope, as it goes over the wire.
public enum EventType: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// The first frame of a fresh stream: what is shown now.
    case snapshot
    /// The first frame of a stream that continues; the missed events follow.
    case resumed
    /// A toast was accepted.
    case enqueued
    /// A toast came on screen.
    case presented
    /// A toast changed.
    case updated
    /// A person pressed an action.
    case acted
    /// A toast went.
    case dismissed
    /// Someone stopped a toast's countdown.
    case held
    /// Someone let go of a toast.
    case released
    /// The channel's settings changed.
    case configured
    /// The server goes away for now.
    case shutdown
}
