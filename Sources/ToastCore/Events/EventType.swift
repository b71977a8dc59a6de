/// The type of an envelope, as it goes over the wire.
public enum EventType: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// The first frame of a new stream: the present state.
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
    /// A toast was dismissed.
    case dismissed
    /// A hold stopped a toast's countdown.
    case held
    /// A hold of a toast ended.
    case released
    /// The channel's settings changed.
    case configured
    /// The server shuts down.
    case shutdown
}
