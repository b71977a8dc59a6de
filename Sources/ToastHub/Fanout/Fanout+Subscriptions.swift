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
        try await self.join(stream, name, since: cursor)
    }

    /// Gives a stream its place in a channel, as far as it is known.
    func prepare(_ stream: Stream, for name: ChannelName, since cursor: Cursor?) throws(StreamError) {
        guard stream.subscriptions.count < self.limits.channels else { throw .tooManyChannels }
        try self.hub.census.join(name)
        self.leaveSeat(stream)
        // Told from now on, so that nothing falls between the opening and the first live event.
        let known = cursor.flatMap { $0.epoch == self.hub.epoch ? $0.offset(in: name) : nil }
        stream.subscriptions.append(Stream.Subscription(channel: name, position: known))
        self.audiences[name, default: []].append(stream.id.slot)
    }

    /// Lets a stream begin to hear a channel in which it has a place.
    func join(_ stream: Stream, _ name: ChannelName, since cursor: Cursor?) async throws(StreamError) {
        guard !stream.isEnded else { return }
        let (id, listener) = (stream.id, stream.listener)
        let joined: (channel: Channel, opening: Opening)
        do throws(ChannelError) {
            joined = try await self.hub.registry(of: name).perform(on: name) { channel throws(ChannelError) in
                (channel, try await channel.join(self, listener, since: cursor))
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
        let early = stream.subscriptions[index].early ?? []
        stream.subscriptions[index].joined = joined.channel
        stream.subscriptions[index].early = nil
        let hasCursor = cursor?.offset(in: name) != nil
        self.meter.countBegun(joined.opening.headType == .resumed ? .resumed : hasCursor ? .reset : .fresh)
        self.begin(stream, at: index, with: joined.opening, early)
    }

    /// Lets a stream no longer hear a channel.
    func unsubscribe(_ stream: Stream, from name: ChannelName) {
        guard let index = stream.index(of: name) else { return }
        stream.subscriptions[index].joined?.dismissListener(self, stream.listener)
        self.forget(stream, name)
    }

    private func forget(_ stream: Stream, _ name: ChannelName) {
        guard stream.index(of: name) != nil else { return }
        self.leaveSeat(stream)
        stream.subscriptions.removeAll { $0.channel == name }
        self.removeFromAudience(of: name, slot: stream.id.slot)
        self.hub.census.part(from: name)
    }

    func removeFromAudience(of name: ChannelName, slot: Int) {
        guard var slots = self.audiences.removeValue(forKey: name) else { return }
        if let place = slots.firstIndex(of: slot) {
            slots.swapAt(place, slots.count - 1)
            slots.removeLast()
        }
        if !slots.isEmpty { self.audiences[name] = slots }
    }

    private func begin(_ stream: Stream, at index: Int, with opening: Opening, _ early: [BroadcastEvent]) {
        stream.subscriptions[index].position = opening.start
        switch stream.kind {
        case .eventStream, .webSocket:
            self.write(stream.frame(opening.headType, opening.head, self.hub.epoch), to: stream)
        case .poll:
            // A new listener is answered with the state at once; one that resumes only with what it missed.
            if opening.headType == .snapshot { self.hold(opening.head, for: stream) }
        case .outcome:
            break
        }
        if !stream.isComposite, stream.filter == .all, let frame = self.replay(opening, to: stream, at: index) {
            self.write(frame, to: stream)
        } else {
            for event in opening.missed { self.deliver(event, to: stream, at: index) }
        }
        stream.subscriptions[index].position = opening.position
        for event in early where event.offset > opening.position { self.deliver(event, to: stream, at: index) }
        self.takeSeat(stream)
    }
}

// MARK: - Replaying

extension Fanout {
    /// What was missed by those who came in this turn, from one place to another.
    struct Replay {
        let channel: ChannelName
        let start: Offset
        let end: Offset
        let frames: SharedFrames
    }

    /// All that a stream missed in one frame; nil when that is nothing, or its transport has no frames to share.
    ///
    /// When a server or a network comes back, many come from the same place at once.
    private func replay(_ opening: Opening, to stream: Stream, at index: Int) -> Frame? {
        guard !opening.missed.isEmpty else { return nil }
        let channel = stream.subscriptions[index].channel
        if let replay = self.lastReplay, replay.start == opening.start, replay.end == opening.position,
            replay.channel == channel
        {
            return replay.frames.joined(for: stream.kind)
        }
        let frames = SharedFrames(opening.missed, self.hub.epoch)
        self.lastReplay = Replay(channel: channel, start: opening.start, end: opening.position, frames: frames)
        return frames.joined(for: stream.kind)
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
        self.lastReplay = nil
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
        guard let first = events.first, let last = events.last, !stream.isComposite, stream.filter == .all,
            stream.subscriptions[index].position?.next == first.offset,
            let frame = frames.joined(for: stream.kind)
        else {
            for (place, event) in events.enumerated() {
                self.deliver(event, frames.frame(place, for: stream), to: stream, at: index)
            }
            return
        }
        stream.subscriptions[index].position = last.offset
        self.write(frame, to: stream)
    }

    /// Sends one event to one stream, if the stream wants it and does not have it.
    private func deliver(
        _ event: BroadcastEvent,
        _ frame: @autoclosure () -> Frame? = nil,
        to stream: Stream,
        at index: Int
    ) {
        guard event.offset > stream.subscriptions[index].position ?? .origin else { return }
        stream.subscriptions[index].position = event.offset
        guard stream.filter.wants(event.type) else { return }
        switch stream.kind {
        case .eventStream, .webSocket:
            self.write(frame() ?? stream.frame(event.type, event.envelope, self.hub.epoch), to: stream)
        case .poll:
            self.hold(event.envelope, for: stream)
        case .outcome(let id, let answer):
            if event.dismissedToast == id { self.answerOutcome(of: id, stream, answer) }
        }
    }
}

/// The frames of a turn's events, each made when the first stream needs it, and shared by all others.
final class SharedFrames {
    private let events: [BroadcastEvent]
    private let epoch: Epoch

    init(_ events: [BroadcastEvent], _ epoch: Epoch) {
        self.events = events
        self.epoch = epoch
    }

    private lazy var eventStream: [Frame] = self.events.map { event in
        let id = Cursor(epoch: self.epoch, offset: event.offset).description
        return .event(event.type.rawValue, id: id, data: event.envelope)
    }

    private lazy var webSocket: [Frame] = self.events.map { .webSocketText($0.envelope) }

    /// All frames in one, for event streams that want every event.
    private(set) lazy var joinedEventStream = Self.join(self.eventStream)

    /// All frames in one, for WebSockets that want every event.
    private(set) lazy var joinedWebSocket = Self.join(self.webSocket)

    /// The frame of one event; nil for a stream that needs one of its own.
    func frame(_ place: Int, for stream: Stream) -> Frame? {
        guard !stream.isComposite else { return nil }
        switch stream.kind {
        case .eventStream: return self.eventStream[place]
        case .webSocket: return self.webSocket[place]
        case .poll, .outcome: return nil
        }
    }

    /// All frames in one, for streams that want every event.
    func joined(for kind: Stream.Kind) -> Frame? {
        switch kind {
        case .eventStream: self.joinedEventStream
        case .webSocket: self.joinedWebSocket
        case .poll, .outcome: nil
        }
    }

    private static func join(_ frames: [Frame]) -> Frame {
        frames.count == 1 ? frames[0] : Frame(frames.flatMap(\.bytes))
    }
}
