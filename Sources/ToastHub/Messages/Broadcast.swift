import ToastCore

/// A stored event, encoded once for all listeners.
struct BroadcastEvent: Sendable {
    let offset: Offset
    let type: EventType
    let at: Instant
    /// The decoded event; nil for an event that was read from the log.
    let kind: Event.Kind?
    let envelope: [UInt8]
    /// The final state of the dismissed toast, if the engine watched it.
    ///
    /// The channel may have forgotten the toast by the time that a publisher asks.
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

    /// The same event with the texts of another language.
    init(_ event: Self, _ envelope: [UInt8]) {
        self.offset = event.offset
        self.type = event.type
        self.at = event.at
        self.kind = event.kind
        self.envelope = envelope
        self.ending = event.ending
    }

    /// The toast of a `dismissed` event, for publishers that wait for its end.
    var dismissedToast: ToastID? {
        if case .dismissed(let id, _, _, _, _)? = self.kind { id } else { nil }
    }

    /// An event from the log, whose envelope is all that is left; nil when its head cannot be read.
    ///
    /// Remaining times are rewritten for `now`. There is no `ending`: publishers that wait for the end of a toast
    /// listen live, and never read it from the log.
    init?(_ stored: StoredEvent, toldAt now: Instant) {
        guard let layout = stored.layout, let type = stored.type(layout) else { return nil }
        self.offset = stored.offset
        self.type = type
        self.at = stored.at
        self.kind = nil
        self.envelope = type.countsDown ? stored.aged(to: now, layout) : stored.envelope
        self.ending = nil
    }
}

extension EventType {
    /// Whether the event contains the remaining time of a toast.
    fileprivate var countsDown: Bool { self == .presented || self == .updated || self == .released }
}

/// The final state of a toast.
///
/// A class, because few events have one: a reference keeps the event small.
final class Ending: Sendable {
    let toast: Toast

    init(_ toast: Toast) {
        self.toast = toast
    }
}

/// The events of one commit of a channel.
package struct Broadcast: Sendable {
    let channel: ChannelName
    let events: [BroadcastEvent]
}
