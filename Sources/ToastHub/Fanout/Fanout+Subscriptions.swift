import EventLoop
import MicroHTTP
import ToastCore

extension Fanout {
    /// The most channels that one stream hears.
    public nonisolated var channelLimit: Int { self.limits.channels }

    /// What waits for an opening, at most; more ends the stream, which then resumes by its cursor.
    private static let earlyLimit = 1000

    /// Lets a stream hear a channel from now on.
    ///
    /// Hearing it already changes nothing.
    func subscribe(_ stream: Stream, to name: ChannelName, since cursor: Cursor?) async throws(StreamError) {
        guard stream.index(of: name) == nil else { return }
        try self.prepare(stream, for: name, since: cursor)
        if !self.joinAtOnce(stream, name, since: cursor) { try await self.join(stream, name, since: cursor) }
    }

    /// Gives a stream its place in a channel, as far as it is known.
    func prepare(_ stream: Stream, for name: ChannelName, since cursor: Cursor?) throws(StreamError) {
        guard stream.subscriptions.count < self.limits.channels else { throw .tooManyChannels }
        try self.hub.census.join(name)
        self.leaveSeat(stream)
        // Told from now on, so that nothing falls between the opening and the first live event.
        let known = cursor.flatMap { $0.epoch == self.hub.epoch ? $0.offset(in: name) : nil }
        let place = self.joinAudience(of: name, slot: stream.id.slot)
        stream.subscriptions.append(Stream.Subscription(channel: name, place: place, position: known))
    }

    /// Lets a stream begin to hear a channel in which it has a place, if nothing has to be waited for.
    ///
    /// - Returns: Whether it does; if not, ``join(_:_:since:)`` is to be asked.
    func joinAtOnce(_ stream: Stream, _ name: ChannelName, since cursor: Cursor?) -> Bool {
        guard !stream.isEnded, let index = stream.index(of: name),
            let channel = self.hub.registry(of: name).channelAtHand(name),
            let opening = channel.onLoop(
                (self, stream.listener, cursor, self.opening(of: name)),
                { $0.joinAtOnce($1.0, $1.1, since: $1.2, $1.3) }
            )
        else { return false }
        self.begin(stream, at: index, in: channel, with: opening, since: cursor)
        return true
    }

    /// Lets a stream begin to hear a channel in which it has a place.
    func join(_ stream: Stream, _ name: ChannelName, since cursor: Cursor?) async throws(StreamError) {
        guard !stream.isEnded else { return }
        let (id, listener) = (stream.id, stream.listener)
        let joined: (channel: Channel, opening: Opening)
        let known = self.opening(of: name)
        do throws(ChannelError) {
            joined = try await self.hub.registry(of: name).perform(on: name) { channel throws(ChannelError) in
                (channel, try await channel.join(self, listener, since: cursor, known))
            }
        } catch {
            if let stream = self.stream(id) { self.forget(stream, name) }
            throw .channel(error)
        }
        // See Hub.registry(of:).
        self.preconditionIsolated("A stream went on outside of its loop.")
        guard let stream = self.stream(id), let index = stream.index(of: name) else {
            // The peer left, or unsubscribed, while the channel was being joined.
            joined.channel.dismissListener(self, listener)
            return
        }
        self.begin(stream, at: index, in: joined.channel, with: joined.opening, since: cursor)
    }

    /// Lets a stream no longer hear a channel.
    func unsubscribe(_ stream: Stream, from name: ChannelName) {
        guard let index = stream.index(of: name) else { return }
        stream.subscriptions[index].joined?.dismissListener(self, stream.listener)
        self.forget(stream, name)
    }

    private func forget(_ stream: Stream, _ name: ChannelName) {
        guard let index = stream.index(of: name) else { return }
        self.leaveSeat(stream)
        self.leaveAudience(stream.subscriptions.remove(at: index))
        self.hub.census.part(from: name)
    }

    /// Adds a slot to those that hear a channel; returns its place among them.
    private func joinAudience(of name: ChannelName, slot: Int) -> Int {
        func join(_ audience: inout [Int]) -> Int {
            audience.append(slot)
            return audience.count - 1
        }
        return join(&self.audiences[name, default: []])
    }

    /// Takes a stream out of those that hear a channel: the last of them takes its place.
    func leaveAudience(_ subscription: Stream.Subscription) {
        let (name, place) = (subscription.channel, subscription.place)
        guard let audience = self.audiences.index(forKey: name) else { return }
        let last = self.audiences.values[audience].removeLast()
        if place < self.audiences.values[audience].count {
            self.audiences.values[audience][place] = last
            if let stream = self.streams[last], let index = stream.index(of: name) {
                stream.subscriptions[index].place = place
            }
        }
        if self.audiences.values[audience].isEmpty { self.audiences.remove(at: audience) }
    }

    private func begin(
        _ stream: Stream,
        at index: Int,
        in channel: Channel,
        with opening: Opening,
        since cursor: Cursor?
    ) {
        let early = stream.subscriptions[index].early ?? []
        stream.subscriptions[index].joined = channel
        stream.subscriptions[index].early = nil
        let hasCursor = cursor?.offset(in: channel.name) != nil
        self.meter.countBegun(opening.headType == .resumed ? .resumed : hasCursor ? .reset : .fresh)
        let missed = opening.missed
        stream.subscriptions[index].position = missed.start
        let replay = self.replay(opening, of: channel.name)
        switch stream.kind {
        case .eventStream, .webSocket:
            // The head and what was missed, most of the time before there is a socket.
            if stream.writer == nil { stream.held.reserveCapacity(2) }
            self.write(self.head(of: opening, replay, for: stream), to: stream)
        case .poll:
            // A new listener is answered with the state at once; one that resumes only with what it missed.
            if opening.headType == .snapshot { self.hold(opening.head, for: stream) }
        case .outcome:
            break
        }
        if let cut = stream.cut {
            if let frame = replay?.frames.joined(cut), frame.count > 0 { self.write(frame, to: stream) }
        } else {
            self.deliver(missed.events, to: stream, at: index)
        }
        stream.subscriptions[index].position = missed.end
        self.deliver(early, to: stream, at: index)
        self.takeSeat(stream)
    }
}

// MARK: - Replaying

extension Fanout {
    /// How it began for those who came back a moment ago, and missed something.
    final class Replay {
        let channel: ChannelName
        let opening: Opening
        let frames: SharedFrames

        /// The first frame of an event stream for this channel alone.
        private(set) lazy var head = Frame.event(self.opening.headType.rawValue, id: nil, data: self.opening.head)

        init(of channel: ChannelName, _ opening: Opening, _ frames: SharedFrames) {
            self.channel = channel
            self.opening = opening
            self.frames = frames
        }
    }

    /// How it began for who last came back to a channel.
    private func opening(of channel: ChannelName) -> Opening? {
        guard let last = self.lastReplay, last.channel == channel else { return nil }
        return last.opening
    }

    /// The first frame of a stream, which is shared if it is the same for others who came back.
    private func head(of opening: Opening, _ replay: Replay?, for stream: Stream) -> Frame {
        if let replay, case .eventStream = stream.kind, !stream.isComposite { return replay.head }
        return stream.frame(opening.headType, opening.head, self.hub.epoch)
    }

    /// The frames of an opening; nil when nothing was missed.
    ///
    /// When a server or a network comes back, many come from the same place at once.
    private func replay(_ opening: Opening, of channel: ChannelName) -> Replay? {
        let missed = opening.missed
        guard !missed.events.isEmpty else { return nil }
        var frames: SharedFrames?
        if let last = self.lastReplay, last.opening.missed.start == missed.start, last.opening.missed.end == missed.end,
            last.channel == channel
        {
            if last.opening.instant == opening.instant { return last }
            frames = last.frames
        }
        let replay = Replay(of: channel, opening, frames ?? SharedFrames(missed.events, self.hub.epoch))
        self.lastReplay = replay
        return replay
    }
}

// MARK: - Delivering

extension Fanout {
    /// Takes what happened in a channel; it goes out at the end of the turn.
    func take(_ broadcast: Broadcast) {
        self.fresh[broadcast.channel, default: []] += broadcast.events
    }

    /// Sends all that came in this turn.
    func flush() {
        while let (channel, events) = self.fresh.popFirst() {
            let frames = SharedFrames(events, self.hub.epoch)
            for slot in self.sendToSeats(events, frames, self.audiences[channel] ?? []) {
                guard let stream = self.streams[slot], let index = stream.index(of: channel) else { continue }
                self.leaveSeat(stream)
                self.send(events, frames, to: stream, at: index)
                self.takeSeat(stream)
            }
        }
    }

    private func send(_ events: [BroadcastEvent], _ frames: SharedFrames, to stream: Stream, at index: Int) {
        if stream.subscriptions[index].early != nil {
            stream.subscriptions[index].early? += events
            if (stream.subscriptions[index].early?.count ?? 0) > Self.earlyLimit { self.end(stream, .slow) }
            return
        }
        guard let first = events.first, let last = events.last, let cut = stream.cut,
            stream.subscriptions[index].position?.next == first.offset
        else {
            return self.deliver(events, frames, to: stream, at: index)
        }
        stream.subscriptions[index].position = last.offset
        let frame = frames.joined(cut)
        if frame.count > 0 { self.write(frame, to: stream) }
    }

    /// Sends to a stream what it wants of some events, and does not have.
    ///
    /// In one piece: to what may wait for the stream they are one frame, so whoever reads as fast as it can is never too
    /// slow for what came at once.
    private func deliver(
        _ events: [BroadcastEvent],
        _ frames: SharedFrames? = nil,
        to stream: Stream,
        at index: Int
    ) {
        var wanted: [Frame] = []
        for (place, event) in events.enumerated() where event.offset > stream.subscriptions[index].position ?? .origin {
            stream.subscriptions[index].position = event.offset
            guard stream.filter.wants(event.type) else { continue }
            switch stream.kind {
            case .eventStream, .webSocket:
                let shared = frames?.frame(place, for: stream)
                wanted.append(shared ?? stream.frame(event.type, event.envelope, self.hub.epoch))
            case .poll:
                self.hold(event.envelope, for: stream)
            case .outcome(let id, let answer):
                if event.dismissedToast == id { self.answerOutcome(of: id, stream, answer) }
            }
        }
        guard let first = wanted.first else { return }
        self.write(wanted.count == 1 ? first : Frame(joining: wanted), to: stream)
    }
}
