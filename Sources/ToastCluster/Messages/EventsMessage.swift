package import ToastCore
package import ToastHub

/// Events that the owner of a channel has stored, for a node that follows the channel.
package struct EventsMessage: Sendable {
    package let channel: ChannelName

    /// The events, without a gap.
    package let events: [BroadcastEvent]

    /// A message about events without a gap.
    package init(channel: ChannelName, events: [BroadcastEvent]) {
        self.channel = channel
        self.events = events
    }

    /// The bytes of the message: the envelopes as they were stored, and the final states of dismissed toasts by the
    /// index of their event.
    package func encoded() -> [UInt8] {
        Frame.bytes(.events, runs: self.events.map(\.envelope)) { writer in
            writer.member("channel", self.channel)
            let dismissals = self.events.enumerated().filter { $0.element.ending != nil }
            writer.list("endings", dismissals) { dismissal, writer in
                writer.object { writer in
                    writer.member("event", dismissal.offset)
                    writer.member("toast", dismissal.element.ending?.toast)
                }
            }
        }
    }

    /// The message, or as many shorter ones as a limit demands; the nodes that follow take them one after the other.
    ///
    /// - Throws: `tooLong` when a single event exceeds the limit. A follower that misses it reads it from the log.
    package func encoded(within limit: MessageLimit) throws(MessageError) -> [[UInt8]] {
        let bytes = self.encoded()
        guard bytes.count > limit.bytes else { return [bytes] }
        guard self.events.count > 1 else { throw .tooLong(bytes.count) }
        let half = self.events.count / 2
        let parts = [self.events.prefix(half), self.events.dropFirst(half)]
        var messages: [[UInt8]] = []
        for part in parts {
            messages += try Self(channel: self.channel, events: Array(part)).encoded(within: limit)
        }
        return messages
    }

    init(_ frame: Frame) throws(MessageError) {
        self.channel = try frame.head.read("channel", ChannelName.init(rawValue:))
        var endings: [Int: Ending] = [:]
        for json in frame.head.object["endings"]?.array ?? [] {
            let ending = try MessageReader(json, of: "endings")
            endings[try ending.count("event")] = Ending(try Toast(ending.value("toast")))
        }
        var events: [BroadcastEvent] = []
        events.reserveCapacity(frame.runs.count)
        for (index, envelope) in frame.runs.enumerated() {
            guard let event = BroadcastEvent(envelope: envelope, ending: endings[index]) else {
                throw .malformed("An envelope is invalid.")
            }
            guard events.last.map({ $0.offset.next == event.offset }) ?? true else {
                throw .malformed("An event is missing.")
            }
            events.append(event)
        }
        self.events = events
    }
}

/// The news that a channel was deleted, and a new one with the same name begins.
package struct RestartMessage: Hashable, Sendable {
    package let channel: ChannelName

    package init(channel: ChannelName) {
        self.channel = channel
    }

    /// The bytes of the message.
    package func encoded() -> [UInt8] {
        Frame.bytes(.restart) { $0.member("channel", self.channel) }
    }

    init(_ frame: Frame) throws(MessageError) {
        self.channel = try frame.head.read("channel", ChannelName.init(rawValue:))
    }
}
