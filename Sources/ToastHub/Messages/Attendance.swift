package import ToastCore

/// How a listener receives a channel's events.
package enum Transport: String, CaseIterable, Hashable, Sendable {
    /// Server-Sent Events.
    case sse
    /// A WebSocket.
    case websocket
    /// A waiting long-poll.
    case poll

    /// The transport's index in counts per transport.
    package var ordinal: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The properties of a listener that matter to its channel.
package struct ChannelListener: Hashable, Sendable {
    /// Its transport; nil when the listener is not audience.
    package let transport: Transport?

    /// Whether its user uses assistive technology.
    package let isAssistive: Bool

    /// The factor by which it wants toasts to stay longer.
    package var scale = 1.0

    /// A listener that is not audience and has no influence on how long toasts stay.
    package static let unseen = Self(transport: nil, isAssistive: false)
}

/// The listeners that one observer has in a channel, as a node reports them to the channel's owner.
package struct ListenerCounts: Hashable, Sendable {
    /// The audience by ``Transport/ordinal``.
    package var transports = Array(repeating: 0, count: Transport.allCases.count)

    /// The number of listeners that are not audience.
    package var unseen = 0

    /// Whether a user in the audience uses assistive technology.
    package var isAssistive = false

    /// The largest factor by which the audience wants toasts to stay longer.
    package var scale = 1.0

    /// Rises with each message of the observer, so that one that comes late does not replace a later one.
    package var sequence: Int64 = 0

    package init() {}

    package var isEmpty: Bool { self.unseen == 0 && self.transports.allSatisfy { $0 == 0 } }
}

/// Receives a channel's events on behalf of many listeners, for example the streams of one loop.
///
/// The channel calls from its own loop and never waits; the observer passes events on to the loop of its listeners.
package protocol ChannelObserver: AnyObject, Sendable {
    /// Events were stored. They follow the previous ones, unless the channel was loaded again after a failure.
    func receive(_ broadcast: Broadcast)

    /// The channel was deleted, and a new one with the same name begins; or its log has lost its end.
    func channelDidRestart(_ name: ChannelName)

    /// Events are stored up to an offset; some of them may not have been received.
    ///
    /// Channels never call this. It is called where events come from another process and may have been lost.
    func channel(_ name: ChannelName, isStoredThrough offset: Offset)

    /// The current counts of an observer that sent `counts` as ``Attendance/Listeners/all(_:)``; nil when all of its
    /// listeners have left since.
    func current(_ counts: ListenerCounts, in name: ChannelName) -> ListenerCounts?
}

extension ChannelObserver {
    package func current(_ counts: ListenerCounts, in name: ChannelName) -> ListenerCounts? { counts }
}

/// A request of a listener to join a channel.
package struct Attendance: Sendable {
    /// The listeners that a request counts.
    package enum Listeners: Sendable {
        /// One more listener.
        case one(ChannelListener)
        /// All listeners of the observer, instead of those that were counted before.
        case all(ListenerCounts)
    }

    /// Receives the channel's events from the moment of the request.
    package let observer: any ChannelObserver

    /// The listeners that the request counts.
    package let listeners: Listeners

    /// The last event that the listener has from an earlier connection; nil for a new listener.
    package let cursor: Cursor?

    /// The listener's language; nil for the server's default.
    package let language: LanguageTag?

    /// Whether the listener has left since the request; until it has joined, nothing else reports that.
    package let hasLeft: @Sendable () -> Bool

    package init(
        observer: any ChannelObserver,
        listeners: Listeners,
        cursor: Cursor? = nil,
        language: LanguageTag? = nil,
        hasLeft: @escaping @Sendable () -> Bool = { false }
    ) {
        self.observer = observer
        self.listeners = listeners
        self.cursor = cursor
        self.language = language
        self.hasLeft = hasLeft
    }
}

/// The first data that a listener gets from a channel.
package struct Opening: Sendable {
    /// The state as a `snapshot` envelope; nil when the listener resumes from its cursor.
    package let snapshot: [UInt8]?

    /// Whether the snapshot says that events before it are missing.
    package let isReset: Bool

    /// The last event that the listener has: the one of its cursor or of the snapshot.
    package let start: Offset

    /// The last stored event.
    ///
    /// The log has the events from `start` to here, unless they have been pruned.
    package let stored: Offset

    /// The time of this answer, by the channel's clock.
    package let instant: Instant

    package init(snapshot: [UInt8]?, isReset: Bool = false, start: Offset, stored: Offset, instant: Instant) {
        self.snapshot = snapshot
        self.isReset = isReset
        self.start = start
        self.stored = stored
        self.instant = instant
    }
}
