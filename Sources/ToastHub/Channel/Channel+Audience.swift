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
    /// Nil for one who waits for an answer: told of everything, but no audience.
    let transport: Transport?
    let isAssistive: Bool
    /// How many times longer it wants to see toasts.
    var scale = 1.0
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

    /// Lets a listener hear the channel as ``join(_:_:since:_:)`` does, if its coming changes nothing and waits for nothing.
    ///
    /// That is how most come. It takes no copy of the engine, and none of the ways from actor to actor and their frames.
    ///
    /// - Parameters:
    ///   - fanout: Who is told, from the moment of the call; of the channel's loop.
    ///   - listener: What the listener is.
    ///   - cursor: Where the listener stood when it last heard the channel; nil when it is new.
    ///   - known: How it began for another who came back a moment ago.
    /// - Returns: How it begins; nil when the listener has to join the other way.
    func joinAtOnce(_ fanout: Fanout, _ listener: Listener, since cursor: Cursor?, _ known: Opening?) -> Opening? {
        guard self.isLoaded else { return nil }
        self.catchUp()
        self.count(listener, of: fanout, by: 1)
        if self.isSettled, self.audience == self.engine.audience {
            guard let start = cursor.flatMap(self.place) else {
                let isReset = cursor?.offset(in: self.name) != nil
                return Self.snapshot(of: self.engine, at: self.now, isReset: isReset)
            }
            if let missed = self.missedAtHand(since: start, known?.missed) { return self.resumption(missed, known) }
        }
        self.count(listener, of: fanout, by: -1)
        return nil
    }

    /// Lets a listener of a loop hear the channel from now on, and tells how it begins.
    ///
    /// - Parameters:
    ///   - fanout: Who is told, from the moment of the call.
    ///   - listener: What the listener is.
    ///   - cursor: Where the listener stood when it last heard the channel; nil when it is new.
    ///   - known: How it began for another who came back a moment ago.
    /// - Returns: The first frame, what was missed, and the place from which live events follow.
    /// - Throws: `unavailable` when the channel cannot be read.
    func join(
        _ fanout: Fanout,
        _ listener: Listener,
        since cursor: Cursor?,
        _ known: Opening? = nil
    ) async throws(ChannelError) -> Opening {
        if !self.isLoaded { try await self.load() }
        self.catchUp()
        // In one go, so that nothing falls between: the state before anybody knew of the listener, from when on it
        // is told, and what its coming brings on screen. That is news, and comes to it as an event.
        let (start, isReset) = (cursor.flatMap(self.place), cursor?.offset(in: self.name) != nil)
        // Who resumes gets a snapshot only if part of what it missed is gone; so then it is written when that is known.
        let snapshot = start == nil ? Self.snapshot(of: self.engine, at: self.now, isReset: isReset) : nil
        let (before, now) = (start == nil ? nil : self.engine, self.now)
        self.count(listener, of: fanout, by: 1)
        self.heedAudience()
        do throws(ChannelError) {
            if !self.isSettled { try await self.settle() }
            if let start {
                if let missed = self.missedAtHand(since: start, known?.missed) { return self.resumption(missed, known) }
                if let missed = try await self.missed(since: start) { return self.resumption(missed, known) }
            }
            return snapshot ?? Self.snapshot(of: before ?? self.engine, at: now, isReset: isReset)
        } catch {
            self.leave(fanout, listener)
            throw error
        }
    }

    /// A listener of a loop is gone.
    func leave(_ fanout: Fanout, _ listener: Listener) {
        self.count(listener, of: fanout, by: -1)
        if self.isLoaded { self.heedAudience() }
    }

    /// Tells the engine of the audience, if it is another one than it knows.
    private func heedAudience() {
        let audience = self.audience
        if audience != self.engine.audience { self.perform(.audience(audience)) }
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

    /// The state as it was, for one who was not there before or was away for too long.
    private static func snapshot(of engine: Engine, at now: Instant, isReset: Bool) -> Opening {
        var writer = JSONWriter()
        engine.writeSnapshotFrame(to: &writer, at: now, isReset: isReset)
        return Opening(
            head: writer.bytes,
            headType: .snapshot,
            instant: now,
            missed: Missed(start: engine.offset, end: engine.offset, events: [])
        )
    }

    /// Where in this channel's history a cursor points; nil when it is of another life, or from the future.
    private func place(of cursor: Cursor) -> Offset? {
        guard cursor.epoch == self.context.store.epoch, let offset = cursor.offset(in: self.name),
            offset <= self.engine.offset
        else { return nil }
        return offset
    }

    /// What a listener missed since an offset, if that is nothing or known.
    private func missedAtHand(since start: Offset, _ known: Missed?) -> Missed? {
        if start >= self.committed { return Missed(start: start, end: start, events: []) }
        guard let known, known.start == start, known.end == self.committed else { return nil }
        return known
    }

    /// What a listener missed since an offset; nil when part of it was forgotten.
    private func missed(since start: Offset) async throws(ChannelError) -> Missed? {
        let history = try await self.history(after: start)
        guard !history.isCut else { return nil }
        let events = history.events.compactMap(BroadcastEvent.init)
        guard events.count == history.events.count else {
            throw .unavailable(.corrupt("channel \(self.name): unreadable event"))
        }
        return Missed(start: start, end: events.last?.offset ?? start, events: events)
    }

    /// The word that a cursor was honoured.
    ///
    /// Who comes back from the same place in the same millisecond is told the same.
    private func resumption(_ missed: Missed, _ known: Opening?) -> Opening {
        let now = self.now.wholeMilliseconds
        if let known, known.headType == .resumed, known.instant == now, known.missed.start == missed.start,
            known.missed.end == missed.end
        {
            return known
        }
        var writer = JSONWriter()
        Engine.writeResumedFrame(
            to: &writer,
            channel: self.name,
            epoch: self.context.store.epoch,
            offset: missed.start,
            at: now
        )
        return Opening(
            head: writer.bytes,
            headType: .resumed,
            instant: now,
            missed: missed
        )
    }

    private func history(after start: Offset) async throws(ChannelError) -> History {
        do throws(StoreError) {
            // All that is kept: a part of it would be taken for the whole.
            return try await self.context.store.events(of: self.name, after: start, limit: .max)
        } catch {
            throw .unavailable(error)
        }
    }
}
