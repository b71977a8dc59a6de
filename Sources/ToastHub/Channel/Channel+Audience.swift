import EventLoop
import ToastCore

/// How a listener hears a channel.
public enum Transport: String, CaseIterable, Hashable, Sendable {
    /// Server-Sent Events.
    case sse
    /// A WebSocket.
    case websocket
    /// A long-poll that waits.
    case poll

    /// The place of the transport in what is counted for each.
    var ordinal: Int {
        switch self {
        case .sse: 0
        case .websocket: 1
        case .poll: 2
        }
    }
}

/// The listeners of one loop.
struct Listeners {
    let fanout: Fanout
    /// Everything on that loop that is told, listeners that are no audience included.
    var count = 0
    /// Those that are audience.
    var attached = 0
    /// The same, at the place of their transport.
    var transports = Array(repeating: 0, count: Transport.allCases.count)
    var assistive = 0
    /// How many want to see toasts so many times longer; who wants nothing is not counted.
    var scales: [Double: Int] = [:]

    init(fanout: Fanout) {
        self.fanout = fanout
    }

    var isEmpty: Bool { self.count == 0 }

    mutating func count(_ listener: Listener, by change: Int) {
        self.count += change
        if let transport = listener.transport {
            self.attached += change
            self.transports[transport.ordinal] += change
        }
        if listener.isAssistive { self.assistive += change }
        if listener.scale > 1 {
            let count = self.scales[listener.scale, default: 0] + change
            self.scales[listener.scale] = count > 0 ? count : nil
        }
    }
}

/// Who comes or goes.
struct Listener: Hashable, Sendable {
    /// Nil for one who sees nothing: told of everything, but no audience.
    let transport: Transport?
    let isAssistive: Bool
    /// How many times longer it wants to see toasts.
    var scale = 1.0

    /// One who is no audience, and has no say in how long toasts stay.
    static let nobody = Self(transport: nil, isAssistive: false)
}

extension Channel {
    /// The audience as the engine sees it.
    var audience: Audience {
        var (isAttached, isAssistive, scale) = (false, false, 1.0)
        for listeners in self.listeners.values {
            isAttached = isAttached || listeners.attached > 0
            isAssistive = isAssistive || listeners.assistive > 0
            for wish in listeners.scales.keys { scale = max(scale, wish) }
        }
        return Audience(isAttached: isAttached, isAssistive: isAssistive, scale: scale)
    }

    /// The audience by transport.
    var audienceCounts: [Transport: Int] {
        let counts = Transport.allCases.map { transport in
            (transport, self.listeners.values.reduce(0) { $0 + $1.transports[transport.ordinal] })
        }
        return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 })
    }

    /// Lets a listener hear the channel from now on, and tells how it begins: by the state, or by the place behind which the
    /// log has what was missed.
    func attend(_ attendance: Attendance) async throws(ChannelError) -> Opening {
        let (fanout, listener) = (attendance.fanout, attendance.listener)
        let isFormer = self.isFormer(attendance.cursor)
        let cursor = isFormer ? try await self.renewed(attendance.cursor) : attendance.cursor
        if !self.isLoaded { try await self.load() }
        self.catchUp()
        // In one go, so that nothing falls between: the state before the channel knows of the listener, from when on it
        // is told, and what its coming brings on screen. That is news, and comes to it as an event.
        let opening =
            cursor.flatMap(self.place).map(self.resumption)
            ?? self.snapshot(isReset: cursor?.offset(in: self.name) != nil, in: attendance.language)
        self.count(listener, of: fanout, by: 1)
        self.heedAudience()
        do throws(ChannelError) {
            if !self.isSettled { try await self.settle() }
        } catch {
            self.leave(fanout, listener)
            throw error
        }
        // What was stored meanwhile is in the log, too.
        return opening.snapshot == nil ? self.resumption(behind: opening.start) : opening
    }

    /// A listener of a loop is gone.
    func leave(_ fanout: Fanout, _ listener: Listener) {
        self.count(listener, of: fanout, by: -1)
        if self.isLoaded { self.heedAudience() }
    }

    /// Tells the engine of the audience, if it is another one than it knows.
    private func heedAudience() {
        let audience = self.audience
        if audience != self.engine.audience { self.applyAudience() }
    }

    /// Sends word to the channel's loop that a listener is gone.
    nonisolated func dismissListener(_ fanout: Fanout, _ listener: Listener) {
        self.loop.execute { self.assumeIsolated { $0.leave(fanout, listener) } }
    }

    func broadcast(_ broadcast: Broadcast) {
        for listeners in self.listeners.values {
            let fanout = listeners.fanout
            if fanout.loop === self.loop {
                fanout.assumeIsolated { $0.take(broadcast) }
            } else {
                fanout.loop.execute { fanout.assumeIsolated { $0.take(broadcast) } }
            }
        }
    }

    private func count(_ listener: Listener, of fanout: Fanout, by change: Int) {
        let id = ObjectIdentifier(fanout)
        self.listeners[id, default: Listeners(fanout: fanout)].count(listener, by: change)
        if change < 0, self.listeners[id]?.isEmpty == true { self.listeners[id] = nil }
    }

    func snapshot(isReset: Bool, in language: LanguageTag?) -> Opening {
        var writer = JSONWriter()
        let (now, offset) = (self.now, self.engine.offset)
        // The engine may not have decided anything since the catalogs changed.
        if language != nil { self.engine.lexicon = self.context.catalogs.lexicon }
        self.engine.writeSnapshotFrame(to: &writer, at: now, isReset: isReset, in: language)
        return Opening(channel: self, snapshot: writer.bytes, start: offset, stored: offset, instant: now)
    }

    private func resumption(behind start: Offset) -> Opening {
        Opening(channel: self, snapshot: nil, start: start, stored: self.committed, instant: self.now)
    }

    /// Where in this channel's history a cursor points; nil when it is of another life, or from the future.
    private func place(of cursor: Cursor) -> Offset? {
        guard cursor.epoch == self.context.store.epoch, let offset = cursor.offset(in: self.name),
            offset <= self.engine.offset
        else { return nil }
        return offset
    }

    /// Whether a cursor is of another life of the store than this one.
    private func isFormer(_ cursor: Cursor?) -> Bool {
        cursor.map { $0.epoch != self.context.store.epoch && $0.offset(in: self.name) != nil } ?? false
    }

    /// The same place in this life of the store, for a cursor of a former one; the cursor as it is when that is not known.
    ///
    /// Where the store still has the very event that the cursor names, it has all that came before it, too: a power cut
    /// and a backup only take the end of a channel. What its reader missed are the events behind it.
    private func renewed(_ cursor: Cursor?) async throws(ChannelError) -> Cursor? {
        guard let cursor, let offset = cursor.offset(in: self.name), offset > .origin else { return cursor }
        let event: StoredEvent?
        do throws(StoreError) {
            let before = Offset(rawValue: offset.rawValue - 1)
            event = try await self.context.store.events(of: self.name, after: before, limit: 1).events.first
        } catch {
            throw .unavailable(error)
        }
        guard event?.cursor == Cursor(epoch: cursor.epoch, offset: offset) else { return cursor }
        return Cursor(epoch: self.context.store.epoch, offset: offset)
    }
}
