/// An event with its envelope, as it is stored and sent.
public struct StoredEvent: Hashable, Sendable {
    /// The offset of the event.
    public let offset: Offset

    /// When the event happened; retention by age counts from here.
    public let at: Instant

    /// The event's envelope: one JSON object in UTF-8, sent to consumers byte for byte.
    public let envelope: [UInt8]

    /// An event for a store.
    public init(offset: Offset, at: Instant, envelope: [UInt8]) {
        self.offset = offset
        self.at = at
        self.envelope = envelope
    }
}

extension Event {
    /// The event as a store keeps it.
    public func stored(channel: ChannelName, epoch: Epoch) -> StoredEvent {
        var writer = JSONWriter()
        return self.stored(channel: channel, epoch: epoch, by: &writer)
    }

    /// Events of a channel as a store keeps them.
    public static func stored(_ events: [Event], channel: ChannelName, epoch: Epoch) -> [StoredEvent] {
        var writer = JSONWriter(capacity: 512 * min(events.count, 128))
        var stored: [StoredEvent] = []
        stored.reserveCapacity(events.count)
        for event in events { stored.append(event.stored(channel: channel, epoch: epoch, by: &writer)) }
        return stored
    }

    private func stored(channel: ChannelName, epoch: Epoch, by writer: inout JSONWriter) -> StoredEvent {
        let envelope = writer.separately { self.write(to: &$0, channel: channel, epoch: epoch) }
        return StoredEvent(offset: self.offset, at: self.at, envelope: envelope)
    }
}

extension StoredEvent {
    /// The cursor that the event was stored under; `nil` when the envelope cannot be read.
    public var cursor: Cursor? {
        (try? JSON(stored: self.envelope))?["cursor"]?.string.flatMap { Cursor($0) }
    }

    /// Where the parts of the envelope are; `nil` when it cannot be read.
    public var layout: EnvelopeLayout? { EnvelopeLayout(self.envelope) }

    /// The type of the event; `nil` when it is one of a later version.
    public func type(_ layout: EnvelopeLayout) -> EventType? {
        EventType(rawValue: String(decoding: self.envelope[layout.type], as: UTF8.self))
    }

    /// The envelope as it is replayed at an instant, with `remaining` counted down to then.
    ///
    /// Only a `remaining` directly after `at` is counted down: ``Event/write(to:channel:epoch:)`` puts it there when
    /// the countdown runs, and elsewhere when the toast is held. Older versions wrote it elsewhere; theirs stays as it
    /// was.
    public func aged(to now: Instant, _ layout: EnvelopeLayout) -> [UInt8] {
        let age = (now - self.at).milliseconds
        guard age > 0, let range = layout.remaining(in: self.envelope),
            let seconds = Double(String(decoding: self.envelope[range], as: UTF8.self))
        else { return self.envelope }
        var writer = JSONWriter(capacity: 16)
        writer.value(Interval(milliseconds: max(0, Int64((seconds * 1000).rounded()) - age)))
        return self.envelope[..<range.lowerBound] + writer.bytes + self.envelope[range.upperBound...]
    }

    /// The JSON of the toast of an `enqueued` event, as the toast was then.
    public var enqueuedToast: ArraySlice<UInt8> {
        self.layout?.lastToast(in: self.envelope).map { self.envelope[$0] } ?? []
    }
}
