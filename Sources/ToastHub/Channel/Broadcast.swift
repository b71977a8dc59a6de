import MicroHTTP
import ToastCore

/// An event that was stored, encoded once for all who hear it.
struct BroadcastEvent: Sendable {
    let offset: Offset
    let type: EventType
    /// The toast that a `dismissed` event is about, for those who wait for its end.
    let dismissedToast: ToastID?
    let envelope: [UInt8]

    init(_ event: Event, _ stored: StoredEvent) {
        self.offset = event.offset
        self.type = event.type
        self.envelope = stored.envelope
        self.dismissedToast = if case .dismissed(let id, _, _, _, _) = event.kind { id } else { nil }
    }

    /// An event of the past, of which only the envelope is left; nil when that is none.
    ///
    /// Whoever waits for a toast's end listens live, so a toast that was dismissed in the past is nobody's.
    init?(_ stored: StoredEvent) {
        // Envelopes begin with their type. To parse a thousand of them whole, for every listener that comes back,
        // would be most of what its coming costs.
        guard stored.envelope.starts(with: Self.head) else { return nil }
        let name = stored.envelope[Self.head.count...].prefix { $0 != UInt8(ascii: "\"") }
        guard let type = EventType(rawValue: String(decoding: name, as: UTF8.self)) else { return nil }
        self.offset = stored.offset
        self.type = type
        self.dismissedToast = nil
        self.envelope = stored.envelope
    }

    private static let head = Array(#"{"type":""#.utf8)
}

/// What happened in a channel in one commit: what its home loop hands to every loop that has listeners.
struct Broadcast: Sendable {
    let channel: ChannelName
    let events: [BroadcastEvent]
}

/// How a stream begins to hear a channel.
struct Opening: Sendable {
    /// The first frame: a snapshot, or the word that the cursor was honoured.
    let head: [UInt8]
    let headType: EventType
    /// When that was said.
    let instant: Instant
    /// What the listener missed; live events follow.
    let missed: Missed
}

/// What happened in a channel between two places.
struct Missed: Sendable {
    /// The event before the first one here.
    let start: Offset
    /// The last event.
    let end: Offset
    /// The events, oldest first.
    let events: [BroadcastEvent]
}
