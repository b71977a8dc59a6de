import EventLoop
import MicroHTTP
import ToastCore

extension Fanout {
    /// The most channels that one stream hears.
    public nonisolated var channelLimit: Int { self.limits.channels }

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
        let place = self.joinAudience(of: name, slot: stream.id.slot)
        stream.subscriptions.append(Stream.Subscription(channel: name, place: place, log: LogPosition(known)))
    }

    /// Lets a stream begin to hear a channel in which it has a place.
    func join(_ stream: Stream, _ name: ChannelName, since cursor: Cursor?) async throws(StreamError) {
        guard !stream.isEnded else { return }
        let (id, listener) = (stream.id, stream.listener)
        let attendance = Attendance(
            fanout: self,
            listener: listener,
            cursor: cursor,
            language: stream.reading?.language
        )
        let opening: Opening
        do throws(ChannelError) {
            guard case .opening(let answer) = try await self.hub.perform(.attend(attendance), on: name) else { return }
            opening = answer
        } catch {
            if let stream = self.stream(id) { self.forget(stream, name) }
            throw .channel(error)
        }
        guard let stream = self.stream(id), let index = stream.index(of: name) else {
            // The peer left, or unsubscribed, while the channel was being joined.
            opening.channel.dismissListener(self, listener)
            return
        }
        try self.begin(stream, at: index, with: opening, since: cursor)
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

    /// Lets a stream begin with what a channel says of itself: its state, or where the log has what was missed.
    ///
    /// - Throws: `outOfMemory` when there is none for the state; then the stream hears the channel no longer.
    private func begin(
        _ stream: Stream,
        at index: Int,
        with opening: Opening,
        since cursor: Cursor?
    ) throws(StreamError) {
        let channel = opening.channel
        stream.subscriptions[index].joined = channel
        stream.subscriptions[index].since = opening.instant
        if case .outcome = stream.kind {
            stream.subscriptions[index].log.begin(at: opening.stored, stored: opening.stored)
            return stream.subscriptions[index].log.skipToEnd()
        }
        let isReset = cursor?.offset(in: channel.name) != nil
        if opening.snapshot != nil {
            if stream.isBlocked || stream.heldBytes > ReplayPage.bytes {
                // A stream of many channels gets the state of the next one when those before it are out.
                stream.subscriptions[index].log.lose(isReset: isReset)
            } else if !self.start(stream, at: index, with: opening, isReset: isReset) {
                self.unsubscribe(stream, from: channel.name)
                throw .outOfMemory
            }
        } else if opening.start < opening.stored {
            stream.subscriptions[index].log.begin(at: opening.start, stored: opening.stored, owesHead: true)
        } else {
            stream.subscriptions[index].log.begin(at: opening.start, stored: opening.stored)
            if let head = self.resumedFrame(of: channel.name, opening.start, at: opening.instant, for: stream) {
                self.write(head, to: stream)
            }
            self.meter.countBegun(.resumed)
        }
        self.catchUp(stream)
    }
}

// MARK: - Delivering

extension Fanout {
    /// Takes what happened in a channel; it goes out at the end of the turn.
    ///
    /// Events that do not follow those before them take their place: whoever lacks some reads them from the log.
    func take(_ broadcast: Broadcast) {
        func add(to fresh: inout [BroadcastEvent]) {
            let isNext = fresh.last.map { $0.offset.next == broadcast.events.first?.offset } ?? true
            if isNext { fresh += broadcast.events } else { fresh = broadcast.events }
        }
        add(to: &self.fresh[broadcast.channel, default: []])
    }

    /// Sends all that came in this turn.
    func flush() {
        if !self.fresh.isEmpty, self.languages.isStale { self.renewLanguages() }
        while let (channel, events) = self.fresh.popFirst() {
            let frames = SharedFrames(events, self.hub.epoch, self.languages)
            for slot in self.sendToSeats(events, frames, self.audiences[channel] ?? []) {
                guard let stream = self.streams[slot], let index = stream.index(of: channel) else { continue }
                self.leaveSeat(stream)
                self.send(events, frames, to: stream, at: index)
                self.takeSeat(stream)
            }
        }
    }

    /// Lets all streams read in the best of the languages that there are now.
    func renewLanguages() {
        self.languages.renew(self.streams.lazy.compactMap { $0?.reading })
        for slot in self.seats.indices where self.seats[slot].descriptor >= 0 {
            if let cut = self.streams[slot]?.cut { self.seats[slot].cut = cut }
        }
        // They are in the words of before.
        self.pages = []
    }

    private func send(_ events: [BroadcastEvent], _ frames: SharedFrames, to stream: Stream, at index: Int) {
        guard let first = events.first, let last = events.last else { return }
        switch stream.subscriptions[index].log.hear(first.offset, through: last.offset) {
        case .known:
            break
        case .missed:
            guard case .outcome = stream.kind else { return self.catchUp(stream) }
            // Only the end of its toast matters, which a stream that is being opened looks for itself.
            guard stream.subscriptions[index].joined != nil else { return }
            self.deliver(events, to: stream, at: index)
            stream.subscriptions[index].log.skipToEnd()
        case .next:
            guard let cut = stream.cut else { return self.deliver(frames, to: stream, at: index) }
            stream.subscriptions[index].log.advance(to: last.offset)
            let frame = frames.joined(cut)
            if frame.count > 0 { self.write(frame, to: stream) }
        case .partlyKnown:
            self.deliver(frames, to: stream, at: index)
        }
    }

    private func deliver(_ frames: SharedFrames, to stream: Stream, at index: Int) {
        self.deliver(frames.events(in: stream.language), frames, to: stream, at: index)
    }

    /// Sends to a stream what it wants of some live events, and does not have.
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
        for (place, event) in events.enumerated() where event.offset > stream.subscriptions[index].log.offset ?? .origin
        {
            if case .poll = stream.kind {
                guard self.hold(event, for: stream, at: index) else { return }
                continue
            }
            stream.subscriptions[index].log.advance(to: event.offset)
            guard stream.filter.wants(event.type) else { continue }
            switch stream.kind {
            case .eventStream, .webSocket:
                let shared = frames?.frame(place, for: stream)
                wanted.append(shared ?? stream.frame(event.type, event.envelope, self.hub.epoch))
            case .outcome(let id, let answer):
                guard event.dismissedToast == id else { continue }
                stream.ending = event.ending
                self.answerOutcome(of: id, stream, answer)
            case .poll:
                break
            }
        }
        guard let first = wanted.first else { return }
        self.write(wanted.count == 1 ? first : Frame(joining: wanted), to: stream)
    }
}
