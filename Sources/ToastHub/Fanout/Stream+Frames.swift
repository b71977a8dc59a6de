import MicroHTTP
import ToastCore

extension Stream {
    /// An event of the channel at an index.
    typealias Place = (index: Int, offset: Offset)

    /// The stream's cursor over all of its channels: after the last events that the stream has, or, in one channel,
    /// after the event that the cursor is sent with.
    func cursor(_ epoch: Epoch, after event: Place? = nil) -> Cursor {
        guard self.isComposite else {
            return Cursor(epoch: epoch, offset: event?.offset ?? self.subscriptions.first?.log.offset ?? .origin)
        }
        let places = self.subscriptions.enumerated().compactMap { index, subscription in
            let offset = index == event?.index ? event?.offset : subscription.log.offset
            // No position yet: the channel is being joined, or its first snapshot is not sent. If the client came with
            // a cursor of another epoch that names the channel, it must get a `reset` when it resumes from here, so
            // this cursor names an offset that no channel has. A channel that is new to the client is left out: it gets
            // a snapshot without `reset`.
            return (offset ?? (subscription.isInCursor ? .greatest : nil)).map { (subscription.channel, $0) }
        }
        return Cursor(epoch: epoch, offsets: Dictionary(places, uniquingKeysWith: max))
    }

    /// The envelope for this stream: with the cursor of all channels, if it is composite.
    func envelope(_ envelope: [UInt8], _ epoch: Epoch, after event: Place? = nil) -> [UInt8] {
        guard self.isComposite, let range = EnvelopeLayout(envelope)?.cursor else { return envelope }
        return Array(
            envelope[..<range.lowerBound] + self.cursor(epoch, after: event).description.utf8
                + envelope[range.upperBound...]
        )
    }

    /// A frame of this stream's transport; an empty one for an event that its encoding leaves out.
    func frame(_ type: EventType, _ envelope: [UInt8], _ epoch: Epoch, after event: Place? = nil) -> Frame {
        if let encoding = self.encoding { return encoding.frame(type, envelope) ?? Frame([]) }
        let envelope = self.envelope(envelope, epoch, after: event)
        if case .webSocket = self.kind { return .webSocketText(envelope) }
        // A snapshot has an id, because it is a position to resume from. Other control frames have none, because an id
        // would overwrite that position.
        let hasID = type != .resumed && type != .shutdown
        return .event(type.rawValue, id: hasID ? self.cursor(epoch, after: event).description : nil, data: envelope)
    }

    /// The frame that keeps the connection of an event stream alive.
    ///
    /// A stream that selects events is told its position: otherwise it would resume after the last selected event,
    /// which the log may have pruned by then.
    func keepAlive(_ epoch: Epoch) -> Frame {
        if let encoding = self.encoding { return encoding.keepAlive() }
        let isJoined = self.subscriptions.allSatisfy { $0.log.offset != nil }
        guard self.filter != .all, isJoined else { return .eventStreamComment }
        return .eventStreamID(self.cursor(epoch).description)
    }

    /// A last frame of `text/event-stream`, which readers with an encoding of their own do not get.
    func last(_ frame: Frame) -> Frame { self.encoding == nil ? frame : Frame([]) }
}
