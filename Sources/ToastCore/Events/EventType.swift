/// The type of an envelope, as it goes over the wire: that of an ``Event/Kind``, or of a frame of streams only.
public enum EventType: String, CaseIterable, Hashable, Sendable, JSONWritable {
    /// The first frame of a new stream: the present state.
    case snapshot
    /// The first frame of a stream that continues; the missed events follow.
    case resumed
    case enqueued, presented, updated, acted, dismissed, held, released, configured
    /// The server shuts down.
    case shutdown
}
