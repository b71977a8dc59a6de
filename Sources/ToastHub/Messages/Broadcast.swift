package import ToastCore

/// A stored event, encoded once for all listeners.
package struct BroadcastEvent: Sendable {
    package let offset: Offset
    let type: EventType
    let at: Instant
    /// The decoded event; nil for an event from the log, and for most events from another node.
    private(set) var kind: Event.Kind?
    package private(set) var envelope: [UInt8]
    /// The final state of the dismissed toast, if the engine watched it.
    ///
    /// The channel may have forgotten the toast by the time that a publisher asks.
    package private(set) var ending: Ending?

    init(_ event: Event, _ stored: StoredEvent, _ endings: [ToastID: Toast] = [:]) {
        self.offset = event.offset
        self.type = event.type
        self.at = event.at
        self.kind = event.kind
        self.envelope = stored.envelope
        guard !endings.isEmpty, case .dismissed(let id, _, _, _, _) = event.kind else { return }
        self.ending = endings[id].map(Ending.init)
    }

    /// The same event with the texts of another language.
    func with(_ envelope: [UInt8]) -> Self {
        var event = self
        event.envelope = envelope
        return event
    }

    /// The toast of a `dismissed` event, for publishers that wait for its end.
    var dismissedToast: ToastID? {
        if case .dismissed(let id, _, _, _, _)? = self.kind { id } else { nil }
    }

    /// An event from the log, whose envelope is all that is left; nil when its head cannot be read.
    ///
    /// Remaining times are rewritten for `now`. There is no `ending`: publishers that wait for the end of a toast ask
    /// the channel instead.
    init?(_ stored: StoredEvent, agedTo now: Instant) {
        guard let layout = stored.layout, let type = stored.type(layout) else { return nil }
        self.offset = stored.offset
        self.type = type
        self.at = stored.at
        self.envelope = type.countsDown ? stored.aged(to: now, layout) : stored.envelope
    }
}

extension BroadcastEvent {
    /// An event that another node has stored and sent; nil when its envelope cannot be read.
    ///
    /// Only a `dismissed` event is decoded, because publishers wait for its toast. Of other events, listeners need only
    /// the envelope.
    package init?(envelope: [UInt8], ending: Ending?) {
        guard let layout = EnvelopeLayout(envelope),
            let type = EventType(rawValue: String(decoding: envelope[layout.type], as: UTF8.self)), type.isStored,
            let cursor = Cursor(String(decoding: envelope[layout.cursor], as: UTF8.self)),
            case .single(let offset) = cursor.position, offset <= .greatest,
            let instant = Instant(String(decoding: envelope[layout.instant], as: UTF8.self))
        else { return nil }
        self.offset = offset
        self.type = type
        self.at = instant
        self.envelope = envelope
        self.ending = ending
        guard type == .dismissed else { return }
        // Why it is invalid does not matter here: a stream that misses the event reads it from the log, and gets the
        // error there.
        guard let event = try? Event(envelope: envelope) else { return nil }
        self.kind = event.kind
    }
}

extension EventType {
    /// Whether events of the type are in the log; the others belong to one stream.
    fileprivate var isStored: Bool { self != .snapshot && self != .resumed && self != .shutdown }

    /// Whether the event contains the remaining time of a toast.
    fileprivate var countsDown: Bool { self == .presented || self == .updated || self == .released }
}

/// The final state of a toast.
///
/// A class, because few events have one: a reference keeps the event small.
package final class Ending: Sendable {
    package let toast: Toast

    package init(_ toast: Toast) {
        self.toast = toast
    }
}

/// The events of one commit of a channel.
package struct Broadcast: Sendable {
    package let channel: ChannelName
    package let events: [BroadcastEvent]

    package init(channel: ChannelName, events: [BroadcastEvent]) {
        self.channel = channel
        self.events = events
    }
}
