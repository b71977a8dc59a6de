import ToastCore
import ToastHub

/// The channels with listeners at this node, of any owner.
struct FollowedChannels {
    private struct FollowedChannel {
        var listeners = ChannelListeners()
        /// The last event that the listeners were sent or get from the log; nil while the first listener joins.
        var position: Offset?
    }

    private var channels: [ChannelName: FollowedChannel] = [:]
    /// The number of the last message with counts.
    private var sequence: Int64 = 0
    /// The channels whose owner has to be told new counts.
    private var changed: Set<ChannelName> = []
    private var nextRenewal = Instant(nanoseconds: .min)

    var names: [ChannelName] { Array(self.channels.keys) }

    /// Counts a listener that joins (1) or leaves (−1).
    mutating func count(
        _ listener: ChannelListener,
        of observer: any ChannelObserver,
        in name: ChannelName,
        by change: Int
    ) {
        self.channels[name, default: FollowedChannel()].listeners.count(listener, of: observer, by: change)
        if self.channels[name]?.listeners.isEmpty == true { self.channels[name] = nil }
    }

    /// The listeners of a channel, for a message to its owner.
    ///
    /// The listener `joining` was counted as unseen until now; here it counts by its transport.
    mutating func counts(
        of name: ChannelName,
        with joining: (listener: ChannelListener, observer: any ChannelObserver)? = nil
    ) -> ListenerCounts {
        self.sequence += 1
        var listeners = self.channels[name]?.listeners ?? ChannelListeners()
        if let joining {
            listeners.count(joining.listener, of: joining.observer, by: 1)
            listeners.count(.unseen, of: joining.observer, by: -1)
        }
        var counts = listeners.counts
        counts.sequence = self.sequence
        return counts
    }

    func position(in name: ChannelName) -> Offset? { self.channels[name]?.position }

    /// Sets the position in a channel's log, unless it is known.
    ///
    /// A known position stays: events before `offset` may still be on their way, and ``take(_:)`` would then drop them.
    mutating func begin(_ name: ChannelName, at offset: Offset) {
        if self.channels[name]?.position == nil { self.channels[name]?.position = offset }
    }

    /// Tells the listeners of a channel the events that they do not have.
    mutating func take(_ broadcast: Broadcast) {
        guard let channel = self.channels[broadcast.channel], let first = broadcast.events.first,
            let last = broadcast.events.last
        else { return }
        var broadcast = broadcast
        if let position = channel.position, first.offset <= position {
            guard last.offset > position else { return }
            let events = broadcast.events.filter { $0.offset > position }
            broadcast = Broadcast(channel: broadcast.channel, events: events)
        }
        self.channels[broadcast.channel]?.position = last.offset
        channel.listeners.send(broadcast)
    }

    /// Tells the listeners of a channel that it has events which they may have missed.
    mutating func learn(_ stored: Offset, of name: ChannelName) {
        guard let channel = self.channels[name], let position = channel.position, stored > position else { return }
        self.channels[name]?.position = stored
        channel.listeners.sendStored(stored, of: name)
    }

    /// Tells the listeners of a channel that it begins anew: it was deleted, or the log has lost its end.
    ///
    /// Its next events may have offsets of events that the listeners have.
    mutating func restart(_ name: ChannelName) {
        self.channels[name]?.position = Offset.origin
        self.channels[name]?.listeners.sendRestart(of: name)
    }

    /// Notes that the owner of a channel has to be told its listeners.
    ///
    /// - Returns: Whether it is the first channel since ``takeChanged()``.
    mutating func note(changed name: ChannelName) -> Bool {
        defer { self.changed.insert(name) }
        return self.changed.isEmpty
    }

    /// Takes the channels whose owner has to be told.
    mutating func takeChanged() -> [ChannelName] {
        defer { self.changed = [] }
        return Array(self.changed)
    }

    /// Whether all channels are to be renewed now; if so, sets the next time.
    mutating func isRenewalDue(at now: Instant, every interval: Interval) -> Bool {
        guard now >= self.nextRenewal else { return false }
        self.nextRenewal = now + interval
        return true
    }
}
