import ToastCore
import ToastHub

// The encoding of the values in answers; ChannelReply.swift encodes the answers around them.

extension Publication {
    /// Whether the stored events contain the whole publication.
    private var isStored: Bool { self.isOnlyEnqueued && self.stored.count == self.toasts.count }

    /// The envelopes of the stored events.
    ///
    /// If they contain the whole publication, the head has no toasts. Otherwise they are left out: other nodes get the
    /// events by ``ClusterMessage/events(_:)``, and no code above the channel reads ``Publication/events``.
    var runs: [[UInt8]] { self.isStored ? self.stored.map(\.envelope) : [] }

    func writeMembers(to writer: inout JSONWriter) {
        if !self.isStored { writer.member("toasts", self.toasts) }
        writer.list("known", self.known)
        writer.flag("isNew", self.isNew)
    }

    init(_ parts: MessageParts) throws(MessageError) {
        let known = try parts.head.texts("known") { ToastID($0) }
        let isNew = try parts.head.flag("isNew")
        guard parts.head.object["toasts"] == nil else {
            let toasts = try parts.head.list("toasts", Toast.init(_:))
            self.init(toasts: toasts, known: known, isNew: isNew, events: [])
            return
        }
        var (toasts, events, stored): ([Toast], [Event], [StoredEvent]) = ([], [], [])
        for envelope in parts.runs {
            let event = try MessageError.inside("event") { () throws(ValidationError) in
                try Event(envelope: envelope)
            }
            guard case .enqueued(let toast) = event.kind else { throw .malformed("An enqueued toast is expected.") }
            toasts.append(toast)
            events.append(event)
            stored.append(StoredEvent(offset: event.offset, at: event.at, envelope: envelope))
        }
        self.init(toasts: toasts, known: known, isNew: isNew, events: events, stored: stored[...])
    }
}

extension Repetition {
    init(_ parts: MessageParts) throws(MessageError) {
        self.init(
            answer: try parts.onlyRun(),
            toast: try parts.head.optional("toast") { ToastID($0) },
            outcome: try parts.head.object["outcome"].map(Toast.init(_:))
        )
    }
}

extension Listing {
    init(_ head: MessageReader) throws(MessageError) {
        self.init(
            toasts: try head.list("toasts", Toast.init(_:)),
            cursor: try head.read("cursor") { Cursor($0) },
            hasMore: try head.flag("hasMore"),
            publishedAt: try head.list("publishedAt") { value throws(MessageError) in
                guard let nanoseconds = value.integer else { throw .member("publishedAt") }
                return Instant(nanoseconds: nanoseconds)
            }
        )
        guard self.publishedAt.isEmpty || self.publishedAt.count == self.toasts.count else {
            throw .member("publishedAt")
        }
    }
}

extension HoldAnswer {
    init(_ head: MessageReader) throws(MessageError) {
        let remaining = head.object["remaining"] == nil ? nil : try head.interval("remaining")
        self.init(remaining: remaining, lease: try head.interval("lease"))
    }
}

extension ChannelSummary {
    func writeMembers(to writer: inout JSONWriter) {
        self.settings.writeMembers(to: &writer)
        writer.member("presented", self.presented)
        writer.member("queued", self.queued)
        writer.object("audience") { writer in
            for transport in Transport.allCases { writer.member(named: transport.rawValue, self.audience[transport]) }
        }
        writer.member("cursor", self.cursor.description)
    }

    init(_ head: MessageReader) throws(MessageError) {
        let counts = try head.reader("audience")
        var audience: [Transport: Int] = [:]
        for transport in Transport.allCases where counts.object[transport.rawValue] != nil {
            audience[transport] = try counts.count(transport.rawValue)
        }
        self.init(
            settings: try Settings(head),
            presented: try head.count("presented"),
            queued: try head.count("queued"),
            audience: audience,
            cursor: try head.read("cursor") { Cursor($0) }
        )
    }
}

extension Opening {
    init(_ parts: MessageParts) throws(MessageError) {
        self.init(
            snapshot: parts.runs.isEmpty ? nil : try parts.onlyRun(),
            isReset: try parts.head.flag("isReset"),
            start: try parts.head.offset("start"),
            stored: try parts.head.offset("stored"),
            instant: try parts.head.instant("instant")
        )
    }
}
