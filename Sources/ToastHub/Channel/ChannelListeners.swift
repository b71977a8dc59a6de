import ToastCore

/// The listeners of a channel, counted for each observer.
struct ChannelListeners {
    private var groups: [ObjectIdentifier: ListenerGroup] = [:]

    var isEmpty: Bool { self.groups.isEmpty }

    /// Counts a listener that joins (1) or leaves (−1).
    mutating func count(_ listener: ChannelListener, of observer: any ChannelObserver, by change: Int) {
        let id = ObjectIdentifier(observer)
        self.groups[id, default: ListenerGroup(observer: observer)].count(listener, by: change)
        if self.groups[id]?.isEmpty == true { self.groups[id] = nil }
    }

    /// The combined audience, for the engine.
    var audience: Audience {
        var (isAttached, isAssistive, scale) = (false, false, 1.0)
        for group in self.groups.values {
            isAttached = isAttached || group.isAttached
            isAssistive = isAssistive || group.isAssistive
            scale = max(scale, group.scale)
        }
        return Audience(isAttached: isAttached, isAssistive: isAssistive, scale: scale)
    }

    /// The audience by transport; transports without audience are left out.
    var transports: [Transport: Int] {
        let counts = Transport.allCases.map { transport in
            (transport, self.groups.values.reduce(0) { $0 + $1.count(of: transport) })
        }
        return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 })
    }

    /// Sends stored events to all observers.
    func send(_ broadcast: Broadcast) {
        for group in self.groups.values { group.observer.receive(broadcast) }
    }

    /// Notifies all observers that the channel was deleted and begins anew.
    func sendRestart(of name: ChannelName) {
        for group in self.groups.values { group.observer.channelDidRestart(name) }
    }
}

/// The listeners of one observer.
private struct ListenerGroup {
    let observer: any ChannelObserver
    /// All listeners, also those that are not audience.
    private var total = 0
    /// The audience by ``Transport/ordinal``.
    private var transports = Array(repeating: 0, count: Transport.allCases.count)
    private var assistive = 0
    /// The number of listeners for each scale above 1.
    private var scales: [Double: Int] = [:]

    init(observer: any ChannelObserver) {
        self.observer = observer
    }

    var isEmpty: Bool { self.total == 0 }
    var isAttached: Bool { self.transports.contains { $0 > 0 } }
    var isAssistive: Bool { self.assistive > 0 }
    var scale: Double { self.scales.keys.max() ?? 1 }

    func count(of transport: Transport) -> Int { self.transports[transport.ordinal] }

    mutating func count(_ listener: ChannelListener, by change: Int) {
        self.total += change
        if let transport = listener.transport { self.transports[transport.ordinal] += change }
        if listener.isAssistive { self.assistive += change }
        if listener.scale > 1 {
            let count = self.scales[listener.scale, default: 0] + change
            self.scales[listener.scale] = count > 0 ? count : nil
        }
    }
}
