package import ToastCore

/// The listeners of a channel, counted for each observer.
package struct ChannelListeners: Sendable {
    private var groups: [ObjectIdentifier: ListenerGroup] = [:]

    /// No listeners.
    package init() {}

    /// Whether there are none.
    package var isEmpty: Bool { self.groups.isEmpty }

    /// Counts a listener that joins (1) or leaves (−1).
    package mutating func count(_ listener: ChannelListener, of observer: any ChannelObserver, by change: Int) {
        let id = ObjectIdentifier(observer)
        self.groups[id, default: ListenerGroup(observer: observer)].count(listener, by: change)
        if self.groups[id]?.isEmpty == true { self.groups[id] = nil }
    }

    /// Replaces the listeners of an observer, unless the counts are older than the current ones.
    mutating func replace(_ counts: ListenerCounts, of observer: any ChannelObserver) {
        let id = ObjectIdentifier(observer)
        self.groups[id, default: ListenerGroup(observer: observer)].replace(counts)
        if self.groups[id]?.isEmpty == true { self.groups[id] = nil }
    }

    /// Removes the listeners of an observer.
    mutating func removeAll(of observer: any ChannelObserver) {
        self.groups[ObjectIdentifier(observer)] = nil
    }

    /// All listeners, counted as those of one observer.
    package var counts: ListenerCounts {
        var counts = ListenerCounts()
        for group in self.groups.values { group.add(to: &counts) }
        return counts
    }

    /// The combined audience, for the engine.
    var audience: Audience {
        let counts = self.counts
        let isAttached = counts.transports.contains { $0 > 0 }
        return Audience(isAttached: isAttached, isAssistive: counts.isAssistive, scale: counts.scale)
    }

    /// The audience by transport; transports without audience are left out.
    var transports: [Transport: Int] {
        let counts = zip(Transport.allCases, self.counts.transports)
        return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 })
    }

    /// Sends stored events to all observers.
    package func send(_ broadcast: Broadcast) {
        for group in self.groups.values { group.observer.receive(broadcast) }
    }

    /// Notifies all observers that the channel begins anew: it was deleted, or the log has lost its end.
    package func sendRestart(of name: ChannelName) {
        for group in self.groups.values { group.observer.channelDidRestart(name) }
    }

    /// Notifies all observers that a channel has events up to an offset, which they may have missed.
    package func sendStored(_ offset: Offset, of name: ChannelName) {
        for group in self.groups.values { group.observer.channel(name, isStoredThrough: offset) }
    }
}

/// The listeners of one observer.
private struct ListenerGroup: Sendable {
    let observer: any ChannelObserver
    /// All listeners, also those that are not audience.
    private var total = 0
    /// The audience by ``Transport/ordinal``.
    private var transports = Array(repeating: 0, count: Transport.allCases.count)
    private var assistive = 0
    /// The number of listeners for each scale above 1.
    private var scales: [Double: Int] = [:]
    /// The sequence number of the counts that were taken last.
    private var sequence: Int64 = 0

    init(observer: any ChannelObserver) {
        self.observer = observer
    }

    var isEmpty: Bool { self.total == 0 }

    mutating func count(_ listener: ChannelListener, by change: Int) {
        self.total += change
        if let transport = listener.transport { self.transports[transport.ordinal] += change }
        if listener.isAssistive { self.assistive += change }
        if listener.scale > 1 {
            let count = self.scales[listener.scale, default: 0] + change
            self.scales[listener.scale] = count > 0 ? count : nil
        }
    }

    mutating func replace(_ counts: ListenerCounts) {
        guard counts.sequence >= self.sequence else { return }
        self.sequence = counts.sequence
        self.transports = counts.transports
        self.total = counts.unseen + counts.transports.reduce(0, +)
        self.assistive = counts.isAssistive ? 1 : 0
        self.scales = counts.scale > 1 ? [counts.scale: 1] : [:]
    }

    func add(to counts: inout ListenerCounts) {
        for (index, count) in self.transports.enumerated() { counts.transports[index] += count }
        counts.unseen += self.total - self.transports.reduce(0, +)
        counts.isAssistive = counts.isAssistive || self.assistive > 0
        counts.scale = max(counts.scale, self.scales.keys.max() ?? 1)
    }
}
