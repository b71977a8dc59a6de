import ToastCore
import ToastHub

// Events that the owner of a channel has stored, without a gap, for a node that follows the channel.

extension Broadcast {
    /// The bytes of the message: the envelopes as they were stored, and the final states of dismissed toasts by the
    /// index of their event.
    func encoded() -> [UInt8] {
        MessageParts.bytes(.events, runs: self.events.map(\.envelope)) { writer in
            writer.member("channel", self.channel)
            let dismissals = self.events.enumerated().filter { $0.element.ending != nil }
            writer.objects("endings", dismissals) { dismissal, writer in
                writer.member("event", dismissal.offset)
                writer.member("toast", dismissal.element.ending?.toast)
            }
        }
    }

    /// The message, or as many shorter ones as a limit demands; the nodes that follow take them one after the other.
    ///
    /// - Throws: `tooLong` when a single event exceeds the limit. Followers then read all of the events from the log.
    func encoded(within limit: MessageLimit) throws(MessageError) -> [[UInt8]] {
        try limit.split(self.events) { Self(channel: self.channel, events: $0).encoded() }
    }

    init(_ parts: MessageParts) throws(MessageError) {
        let channel = try parts.channel()
        var endings: [Int: Ending] = [:]
        for json in parts.head.object["endings"]?.array ?? [] {
            let ending = try MessageReader(json, of: "endings")
            endings[try ending.count("event")] = Ending(try Toast(ending.value("toast")))
        }
        var events: [BroadcastEvent] = []
        events.reserveCapacity(parts.runs.count)
        for (index, envelope) in parts.runs.enumerated() {
            guard let event = BroadcastEvent(envelope: envelope, ending: endings[index]) else {
                throw .malformed("An envelope is invalid.")
            }
            guard events.last.map({ $0.offset.next == event.offset }) ?? true else {
                throw .malformed("An event is missing.")
            }
            events.append(event)
        }
        self.init(channel: channel, events: events)
    }
}
