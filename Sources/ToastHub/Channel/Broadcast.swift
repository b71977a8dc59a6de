import MicroHTTP
import ToastCore

/// An event that was stored, encoded once for all who hear it.
struct BroadcastEvent: Sendable {
    let offset: Offset
    let type: EventType
    let at: Instant
    /// What happened; nil of an event of the past.
    let kind: Event.Kind?
    let envelope: [UInt8]
    /// That toast as it ended, if somebody wanted to know: the channel may have forgotten it when they ask.
    let ending: Ending?

    init(_ event: Event, _ stored: StoredEvent, _ endings: [ToastID: Toast] = [:]) {
        self.offset = event.offset
        self.type = event.type
        self.at = event.at
        self.kind = event.kind
        self.envelope = stored.envelope
        guard !endings.isEmpty, case .dismissed(let id, _, _, _, _) = event.kind else {
            self.ending = nil
            return
        }
        self.ending = endings[id].map(Ending.init)
    }

    /// The same event in other words.
    init(_ event: Self, _ envelope: [UInt8]) {
        self.offset = event.offset
        self.type = event.type
        self.at = event.at
        self.kind = event.kind
        self.envelope = envelope
        self.ending = event.ending
    }

    /// The toast that a `dismissed` event is about, for those who wait for its end.
    var dismissedToast: ToastID? {
        if case .dismissed(let id, _, _, _, _)? = self.kind { id } else { nil }
    }

    /// An event of the past, of which only the envelope is left, as it is told at an instant; nil when that is none.
    ///
    /// Whoever waits for a toast's end listens live, so a toast that was dismissed in the past is nobody's.
    init?(_ stored: StoredEvent, toldAt now: Instant) {
        // Envelopes begin with their type. To parse a thousand of them whole, for every listener that comes back,
        // would be most of what its coming costs.
        guard stored.envelope.starts(with: Self.head) else { return nil }
        let name = stored.envelope[Self.head.count...].prefix { $0 != UInt8(ascii: "\"") }
        guard let type = EventType(rawValue: String(decoding: name, as: UTF8.self)) else { return nil }
        self.offset = stored.offset
        self.type = type
        self.at = stored.at
        self.kind = nil
        self.envelope = type.countsDown ? stored.aged(to: now) : stored.envelope
        self.ending = nil
    }

    private static let head = Array(#"{"type":""#.utf8)
}

extension EventType {
    /// Whether the event tells how much time a toast has left from then on.
    fileprivate var countsDown: Bool { self == .presented || self == .updated || self == .released }
}

/// A toast as it ended; an object, because few events have one.
final class Ending: Sendable {
    let toast: Toast

    init(_ toast: Toast) {
        self.toast = toast
    }
}

/// What happened in a channel in one commit: what its home loop hands to every loop that has listeners.
struct Broadcast: Sendable {
    let channel: ChannelName
    let events: [BroadcastEvent]
}

/// How a stream begins to hear a channel.
package struct Opening: Sendable {
    /// The channel that the listener hears from now on.
    let channel: Channel
    /// The state as a `snapshot` envelope; nil when the stream goes on behind its cursor.
    let snapshot: [UInt8]?
    /// The last event that the listener has: that of its cursor, or of the snapshot.
    let start: Offset
    /// The last event that is stored: what is between the two is in the log, unless it was forgotten.
    let stored: Offset
    /// When that was so, by the channel's clock.
    let instant: Instant
}
