import ToastCore

/// A stream's position in the log of one channel, and what it needs next.
///
/// A stream is either live, and gets events as they are stored, or behind, and gets them from the log, a page at a
/// time. While it is behind, live events are only noted: the log has them. It goes live when it has all events that are
/// known to be stored. So nothing is missed and nothing is sent twice, whatever is stored while pages go out.
struct LogPosition {
    private enum State {
        /// The channel is being joined. Leaves to `behind`, `live` or `lost`.
        case joining
        /// Events are missing. Leaves to `live`, or to `lost` when some are pruned, or on a restart of the channel.
        case behind
        /// Only a snapshot can continue the stream. Leaves to `behind`.
        case lost(isReset: Bool)
        /// Nothing is missing. Leaves to `behind` when an event is missed or refused, and to `lost` on a restart.
        case live
    }

    /// What a stream needs to reach the end of the log.
    enum Need: Hashable {
        case nothing
        case page(after: Offset)
        case snapshot(isReset: Bool)
    }

    /// How live events relate to a stream's position.
    enum Relation {
        /// The stream has them.
        case known
        /// The stream has the first of them, and gets the others.
        case partlyKnown
        /// They follow the stream's last event.
        case next
        /// The stream gets them from the log, or by a snapshot.
        case missed
    }

    private var state = State.joining
    /// The last event that the stream has; nil until it is known.
    private(set) var offset: Offset?
    /// The last event that is known to be stored.
    private var stored = Offset.origin
    /// Whether the client still has to get a `resumed` frame, which confirms its cursor.
    private(set) var owesHead = false

    /// A position in a channel that is about to be joined, by the offset of the listener's cursor if it is known.
    init(_ offset: Offset?) {
        self.offset = offset
    }

    /// Begins after the last event that the stream has; `stored` is the last one that is stored.
    ///
    /// If it `owesHead`, a `resumed` frame goes before the first page, unless events have been pruned by then.
    mutating func begin(at offset: Offset, stored: Offset, owesHead: Bool = false) {
        self.offset = offset
        self.stored = max(self.stored, stored)
        self.owesHead = owesHead
        self.state = .behind
    }

    /// Requires a snapshot: missing events were pruned, or there is no room yet for the first snapshot.
    mutating func lose(isReset: Bool) {
        self.state = .lost(isReset: isReset)
    }

    /// Requires a snapshot, because the log was deleted or has lost its end.
    ///
    /// - Returns: Whether to read the snapshot; false while the channel is being joined, which provides it in any case.
    mutating func beginAnew() -> Bool {
        // The log may end before what was known of it.
        self.stored = .origin
        if case .joining = self.state { return false }
        self.state = .lost(isReset: true)
        return true
    }

    /// Notes live events, and says how they relate to the position.
    mutating func receive(_ first: Offset, through last: Offset) -> Relation {
        self.stored = max(self.stored, last)
        guard case .live = self.state, let offset = self.offset else { return .missed }
        if first == offset.next { return .next }
        if last <= offset { return .known }
        if first <= offset { return .partlyKnown }
        self.state = .behind
        return .missed
    }

    /// Notes that events are stored up to one, of which some may not have come as live events.
    ///
    /// - Returns: Whether the stream misses some of them, and gets them from the log.
    mutating func learn(stored offset: Offset) -> Bool {
        self.stored = max(self.stored, offset)
        guard case .live = self.state, let own = self.offset, own < offset else { return false }
        self.state = .behind
        return true
    }

    /// Notes that the stream has all events up to one, and so owes no `resumed` frame.
    mutating func advance(to offset: Offset) {
        self.offset = offset
        self.owesHead = false
    }

    /// Notes that the `resumed` frame is sent.
    mutating func noteHead() {
        self.owesHead = false
    }

    /// Gets further events from the log, because the stream did not accept a live one.
    mutating func fallBehind() {
        self.state = .behind
    }

    /// Goes live without the missing events, for a stream that only waits for future ones.
    mutating func skipToEnd() {
        self.advance(to: max(self.offset ?? .origin, self.stored))
        self.state = .live
    }

    /// Goes live if nothing is missing.
    mutating func goLiveIfComplete() {
        if case .behind = self.state, self.need == .nothing { self.state = .live }
    }

    var need: Need {
        switch self.state {
        case .lost(let isReset): return .snapshot(isReset: isReset)
        case .behind:
            guard let offset = self.offset, offset < self.stored || self.owesHead else { return .nothing }
            return .page(after: offset)
        case .joining, .live: return .nothing
        }
    }

    /// Whether events are missing, or may be.
    var isBehind: Bool {
        switch self.state {
        case .behind, .lost: true
        case .joining, .live: false
        }
    }

    /// Whether the stream gets events as they are stored.
    var isLive: Bool {
        if case .live = self.state { true } else { false }
    }
}
