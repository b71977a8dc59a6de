import MicroHTTP
import ToastCore

// Sends what was read from a log: snapshots, and pages of events.

extension Fanout {
    /// Starts or restarts a stream with a channel's snapshot.
    ///
    /// - Returns: False when there is no memory for it now.
    func start(_ stream: Stream, at index: Int, with opening: Opening) -> Bool {
        guard let envelope = opening.snapshot else { return true }
        let place: Stream.Place = (index, opening.start)
        switch stream.kind {
        case .eventStream, .webSocket:
            let snapshot = stream.frame(.snapshot, envelope, self.hub.epoch, after: place)
            guard let frame = self.hub.charged(snapshot, to: stream.caller) else { return false }
            stream[logAt: index].begin(at: opening.start, stored: opening.stored)
            self.write(frame, to: stream)
        case .poll:
            guard let frame = self.hub.charged(Frame(envelope), to: stream.caller) else { return false }
            // A snapshot that does not fit is left to the next poll, for which the channel is new.
            guard self.collect(frame, for: stream, after: place) else { return true }
            stream[logAt: index].begin(at: opening.start, stored: opening.stored)
        case .outcome:
            stream[logAt: index].begin(at: opening.start, stored: opening.stored)
        }
        self.meter.countBegun(opening.isReset ? .reset : .fresh)
        return true
    }

    /// Sends a page to a stream; a stream of several channels gets as many of its events as make a page with their
    /// longer cursors.
    ///
    /// - Returns: False when there is no memory for it now.
    func deliver(_ page: ReplayPage, to stream: Stream, at index: Int) -> Bool {
        let owesHead = stream[logAt: index].owesHead
        if case .poll = stream.kind {
            if owesHead { self.meter.countBegun(.resumed) }
            for event in page.events where event.offset > stream[logAt: index].offset ?? .origin {
                guard self.collect(event, for: stream, at: index) else { break }
            }
            // An answer is at most one page, even if there are more events.
            if !stream.collected.isEmpty, stream[logAt: index].need != .nothing { stream.collected.endPage() }
            return true
        }
        guard let (frame, end) = self.frame(of: page, for: stream, at: index) else { return false }
        var head: Frame?
        if owesHead {
            head = self.resumedFrame(of: page, for: stream, at: index)
            self.meter.countBegun(.resumed)
        }
        guard frame.charge != nil else {
            stream[logAt: index].advance(to: end)
            self.write(Frame(joining: [head, frame].compactMap(\.self)), to: stream)
            return true
        }
        // A long frame is written alone, so that a shared one is not copied, and only when all frames before it are
        // sent.
        stream[logAt: index].noteHead()
        if let head { self.write(head, to: stream) }
        self.sendCollected(stream)
        guard !stream.isBlocked, !stream.isEnded else { return true }
        stream[logAt: index].advance(to: end)
        self.write(frame, to: stream)
        return true
    }

    /// The frame of a page, and the last event in it; nil when there is no memory for it now.
    private func frame(of page: ReplayPage, for stream: Stream, at index: Int) -> (Frame, end: Offset)? {
        if let variant = stream.variant {
            return page.frame(variant, for: stream.caller, of: self.hub).map { ($0, page.end) }
        }
        var (frames, size, end): ([Frame], Int, Offset) = ([], 0, stream[logAt: index].offset ?? .origin)
        for event in page.events where event.offset > end && size < ReplayPage.maximumBytes {
            end = event.offset
            guard stream.filter.wants(event.type) else { continue }
            // The cursor in a frame includes the frame's own event.
            let frame = stream.frame(event.type, event.envelope, self.hub.epoch, after: (index, end))
            size += frame.count
            frames.append(frame)
        }
        return self.hub.charged(Frame(joining: frames), to: stream.caller).map { ($0, end) }
    }

    private func resumedFrame(of page: ReplayPage, for stream: Stream, at index: Int) -> Frame {
        let start = stream[logAt: index].offset ?? .origin
        let now = (self.hub.clock.now + stream.subscriptions[index].lead).wholeMilliseconds
        let make = { self.resumedFrame(of: page.channel, start, at: now, for: stream) }
        guard case .eventStream = stream.kind, !stream.isComposite, stream.encoding == nil, start == page.start else {
            return make()
        }
        return page.resumedFrame(at: now, make)
    }

    /// The `resumed` frame, which confirms the cursor of an event stream or WebSocket.
    func resumedFrame(of channel: ChannelName, _ start: Offset, at now: Instant, for stream: Stream) -> Frame {
        var writer = JSONWriter()
        Engine.writeResumedFrame(
            to: &writer,
            channel: channel,
            epoch: self.hub.epoch,
            offset: start,
            at: now.wholeMilliseconds
        )
        return stream.frame(.resumed, writer.bytes, self.hub.epoch)
    }
}
