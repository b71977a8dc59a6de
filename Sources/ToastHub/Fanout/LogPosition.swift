import ToastCore

/// Where a stream stands in the log of one channel, and what it needs next.
///
/// A stream is either live, and gets events as they are stored, or behind, and gets them from the log, a page at a time. As
/// long as it is behind, live events are only noted: the log has them. It goes live when it has all that is known to be
/// stored, so nothing is missed and nothing comes twice, whatever is stored while pages go out.
struct LogPosition {
    private enum State {
        /// The channel is being joined. Leaves to `behind` or `live`.
        case joining
        /// Events are missing. Leaves to `live`, or to `lost` when the log has forgotten some of them.
        case behind
        /// Only the channel's state tells how to go on. Leaves to `behind`.
        case lost(isReset: Bool)
        /// Nothing is missing. Leaves to `behind` when an event comes that is not the next one.
        case live
    }

    /// What a stream needs to come nearer to the end of the log.
    enum Need: Hashable {
        case nothing
        case page(after: Offset)
        case snapshot(isReset: Bool)
    }

    /// What live events are to a stream.
    enum Hearing {
        /// It has them.
        case known
        /// It has the first of them, and gets the others.
        case partlyKnown
        /// They are the next ones.
        case next
        /// It gets them from the log, or by a snapshot.
        case missed
    }

    private var state = State.joining
    /// The last event that the stream has; nil until it is known.
    private(set) var offset: Offset?
    /// The last event that is known to be stored.
    private var stored = Offset.origin
    /// Whether the stream has not been told yet that its cursor was honoured.
    private(set) var owesHead = false

    /// A position in a channel that is about to be joined.
    ///
    /// - Parameter offset: Where the listener's cursor points, as far as that is known.
    init(_ offset: Offset?) {
        self.offset = offset
    }

    /// Begins behind an event.
    ///
    /// - Parameters:
    ///   - offset: The last event that the stream has.
    ///   - stored: The last event that is stored.
    ///   - owesHead: Whether the first page decides how the stream begins.
    mutating func begin(at offset: Offset, stored: Offset, owesHead: Bool = false) {
        self.offset = offset
        self.stored = max(self.stored, stored)
        self.owesHead = owesHead
        self.state = .behind
    }

    /// Some of what is missing was forgotten, or the stream has no room for a snapshot yet.
    mutating func lose(isReset: Bool) {
        self.state = .lost(isReset: isReset)
    }

    /// Only the state tells how to go on, because the log is gone.
    ///
    /// - Returns: Whether it is to be read; not for one that is still being joined, which gets it in any case.
    mutating func beginAnew() -> Bool {
        if case .joining = self.state { return false }
        self.state = .lost(isReset: true)
        return true
    }

    /// Takes note of live events.
    mutating func hear(_ first: Offset, through last: Offset) -> Hearing {
        self.stored = max(self.stored, last)
        guard case .live = self.state, let offset = self.offset else { return .missed }
        if first == offset.next { return .next }
        if last <= offset { return .known }
        if first <= offset { return .partlyKnown }
        self.state = .behind
        return .missed
    }

    /// Notes that the stream has all events up to one, and that it knows how it began.
    mutating func advance(to offset: Offset) {
        self.offset = offset
        self.owesHead = false
    }

    /// Notes that the stream knows how it began.
    mutating func noteHead() {
        self.owesHead = false
    }

    /// Gets further events from the log, because the stream did not take all that it heard.
    mutating func fallBehind() {
        self.state = .behind
    }

    /// Goes live, whatever is missing: for one who only waits for what is still to come.
    mutating func skipToEnd() {
        self.advance(to: max(self.offset ?? .origin, self.stored))
        self.state = .live
    }

    /// Goes live if nothing is missing.
    mutating func goLiveIfComplete() {
        if case .behind = self.state, self.need == .nothing { self.state = .live }
    }

    /// What the stream needs next.
    var need: Need {
        switch self.state {
        case .lost(let isReset): return .snapshot(isReset: isReset)
        case .behind:
            guard let offset = self.offset, offset < self.stored || self.owesHead else { return .nothing }
            return .page(after: offset)
        case .joining, .live: return .nothing
        }
    }

    /// Whether something is missing, or it is not known yet that nothing is.
    var isBehind: Bool {
        switch self.state {
        case .behind, .lost: true
        case .joining, .live: false
        }
    }

    /// Whether events go to the stream as they are stored.
    var isLive: Bool {
        if case .live = self.state { true } else { false }
    }
}
