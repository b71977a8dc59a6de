import ToastCore

/// Events of this turn of the loop that are not sent yet, by channel.
struct PendingEvents {
    private var events: [ChannelName: [BroadcastEvent]] = [:]

    var isEmpty: Bool { self.events.isEmpty }

    /// Adds events of a channel.
    ///
    /// Events that do not follow the pending ones replace them: streams read the missing ones from the log.
    mutating func add(_ broadcast: Broadcast) {
        guard let first = broadcast.events.first else { return }
        func add(to events: inout [BroadcastEvent]) {
            let isNext = events.last.map { $0.offset.next == first.offset } ?? true
            if isNext { events += broadcast.events } else { events = broadcast.events }
        }
        add(to: &self.events[broadcast.channel, default: []])
    }

    mutating func popFirst() -> (channel: ChannelName, events: [BroadcastEvent])? {
        self.events.popFirst().map { ($0.key, $0.value) }
    }
}
