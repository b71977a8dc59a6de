public import EventLoop
import Measures
import MicroHTTP
public import ToastAccess
public import ToastCore

extension Fanout: Watcher {
    /// A stream's socket is ready.
    public nonisolated func ready(_ readiness: Readiness, token: Int) {
        self.assumeIsolated { $0.handle(readiness, slot: token) }
    }

    /// Gives a stream its socket, and sends what has waited for it.
    func attach(_ socket: Socket, to id: StreamID, head: Frame?) {
        guard let stream = self.stream(id), stream.writer == nil else { return }
        stream.writer = StreamWriter(socket: socket, backlog: self.limits.backlog)
        do throws(SystemError) {
            stream.watch = try self.loop.watch(
                socket.descriptor,
                for: [.readable, .peerClosed],
                by: self,
                token: id.slot
            )
        } catch {
            return self.end(stream, .failed)
        }
        switch stream.kind {
        case .eventStream where stream.isEnding, .webSocket where stream.isEnding:
            self.part(stream, sending: [head].compactMap(\.self) + stream.held, .expired)
        case .eventStream, .webSocket:
            if let head { stream.held.insert(head, at: 0) }
            // With what a stream that missed little has missed, most of the time.
            self.catchUp(stream)
            self.sendHeld(stream)
        case .poll, .outcome:
            if stream.isEnding || !stream.held.isEmpty { self.finish(stream) }
        }
    }

    /// Sends what has waited for the socket.
    func sendHeld(_ stream: Stream) {
        guard !stream.isEnded, stream.writer != nil, !stream.held.isEmpty else { return }
        let frame = Frame(joining: stream.held)
        (stream.held, stream.heldBytes) = ([], 0)
        self.write(frame, to: stream)
    }

    /// Ends a stream that never got its socket.
    func abandon(_ id: StreamID, _ end: StreamEnd) {
        guard let stream = self.stream(id), stream.writer == nil else { return }
        self.end(stream, end)
    }

    /// Writes a frame behind all others of the stream.
    func write(_ frame: Frame, to stream: Stream) {
        guard !stream.isEnded else { return }
        guard let writer = stream.writer else {
            stream.held.append(frame)
            stream.heldBytes += frame.count
            return
        }
        var frame = frame
        if !stream.held.isEmpty {
            frame = Frame(joining: stream.held + [frame])
            (stream.held, stream.heldBytes) = ([], 0)
        }
        self.count(frame, of: stream)
        self.heed(writer.write(frame), stream)
    }

    /// Ends a stream with a last frame behind all that waits.
    func finish(_ stream: Stream, with frame: Frame, _ end: StreamEnd) {
        guard !stream.isEnded else { return }
        self.count(frame, of: stream)
        guard let writer = stream.writer else {
            stream.held.append(frame)
            stream.isEnding = true
            stream.end = stream.end ?? end
            return
        }
        self.part(stream, sending: writer.unsent + [frame], end)
    }

    /// Notes that a frame is written.
    func count(_ frame: Frame, of stream: Stream) {
        stream.count(1, bytes: frame.count)
        self.meter.frames.add()
        self.meter.bytes.add(frame.count)
    }

    /// Takes a stream away, and lets its socket close when the peer has read its last words.
    func part(_ stream: Stream, sending frames: [Frame], _ end: StreamEnd) {
        guard let socket = stream.writer?.socket else { return }
        self.end(stream, end)
        self.lingering.assumeIsolated { $0.end(socket, sending: frames) }
    }

    /// Sends a stream away whose peer reads too slowly, or for which nothing can be read: what waits is dropped, and it is
    /// told to come back.
    ///
    /// It comes back with the cursor of the last event that it got whole.
    func sendBack(_ stream: Stream, _ end: StreamEnd) {
        guard let writer = stream.writer else { return self.end(stream, end) }
        switch stream.kind {
        case .eventStream:
            let retry = Frame.eventStreamRetry(milliseconds: .random(in: 1000...5000))
            self.part(stream, sending: writer.unfinished + [retry], end)
        case .webSocket:
            let reason = end == .slow ? "too slow, come back" : "come back"
            let close = Frame.webSocketClose(code: 1013, reason: reason)
            self.part(stream, sending: writer.unfinished + [close], end)
        case .poll, .outcome:
            self.end(stream, end)
        }
    }

    /// Takes a stream away, and its socket with it.
    func end(_ stream: Stream, _ reason: StreamEnd = .peer) {
        guard !stream.isEnded else { return }
        self.leaveSeat(stream)
        self.tell(of: stream, stream.end ?? reason)
        if stream.withdraws { self.withdraw(stream, reason) }
        self.streams[stream.id.slot] = nil
        self.free.append(stream.id.slot)
        self.hub.census.leave(from: stream.visitor.source)
        if let watch = stream.watch { self.loop.unwatch(watch) }
        if let timer = stream.timer { self.loop.cancel(timer) }
        for subscription in stream.subscriptions {
            self.leaveAudience(subscription)
            self.hub.census.part(from: subscription.channel)
            subscription.joined?.dismissListener(self, stream.listener)
        }
        // The subscriptions stay: a delivery that is under way goes on over them, and writes nothing more.
        stream.writer = nil
        self.endReading(stream, nil)
        // A peer that left has said all of it; whoever is sent away may do no more.
        if reason != .peer { stream.inbox = [] }
        stream.isEnded = true
        guard self.isDraining, self.count == 0 else { return }
        self.whenDrained?.resume()
        self.whenDrained = nil
    }

    private func tell(of stream: Stream, _ end: StreamEnd) {
        let transport = stream.transport
        if let transport { self.meter.countClosed(transport, end) }
        self.whenEnded?(
            StreamRecord(
                request: stream.request,
                transport: transport,
                caller: stream.visitor.principal.name,
                duration: EventLoop.now - stream.start,
                frames: stream.frames,
                bytes: stream.bytes,
                end: end
            )
        )
    }

    private func handle(_ readiness: Readiness, slot: Int) {
        guard let stream = self.streams[slot], let writer = stream.writer else { return }
        if readiness.contains(.writable) { self.heed(writer.resume(), stream) }
        guard self.stream(stream.id) != nil, !readiness.isDisjoint(with: [.readable, .peerClosed, .hungUp]) else {
            return
        }
        if case .webSocket = stream.kind { return self.read(stream, writer) }
        if case .outcome = stream.kind, !readiness.contains(.hungUp), readiness.contains(.peerClosed) {
            return self.hearOut(stream, writer)
        }
        if writer.socket.hasWayBack, readiness == .readable {
            // The next request, which is not for the stream to read, and would wake it again and again.
            return self.watch(stream, for: .peerClosed)
        }
        if writer.socket.hasWayBack || !writer.drain(using: &self.scratch) { self.end(stream) }
    }

    func heed(_ status: StreamWriter.Status, _ stream: Stream) {
        switch status {
        case .clear:
            if stream.isBlocked { self.watch(stream, isBlocked: false) }
        case .blocked:
            if !stream.isBlocked { self.watch(stream, isBlocked: true) }
        case .overflowed:
            self.sendBack(stream, .slow)
        case .gone:
            self.end(stream)
        }
    }

    private func watch(_ stream: Stream, isBlocked: Bool) {
        stream.isBlocked = isBlocked
        stream.stalledBeats = 0
        if isBlocked { self.leaveSeat(stream) }
        self.watch(stream, for: isBlocked ? [.readable, .peerClosed, .writable] : [.readable, .peerClosed])
        // What waited is out: it is the turn of what comes behind it.
        if !isBlocked { self.catchUp(stream) }
    }

    func watch(_ stream: Stream, for readiness: Readiness) {
        guard let watch = stream.watch else { return }
        do throws(SystemError) { try self.loop.rewatch(watch, for: readiness) } catch { self.end(stream) }
    }
}

// MARK: - WebSocket commands

/// The socket that a command came from.
public struct SocketSession: Sendable {
    /// The channel of the socket's own path; nil on a socket for several channels.
    public let channel: ChannelName?

    /// Who opened it, and from where.
    public let visitor: Caller

    /// The language that it reads in; nil for the server's own.
    public var language: LanguageTag?

    let fanout: Fanout
    let id: StreamID

    /// Lets the socket hear a channel too.
    ///
    /// - Throws: When the channel cannot be joined, or the socket hears too many.
    public func subscribe(to channel: ChannelName, since cursor: Cursor?) async throws(StreamError) {
        try await self.fanout.subscribe(self.id, to: channel, since: cursor)
    }

    /// Lets the socket no longer hear a channel.
    public func unsubscribe(from channel: ChannelName) async {
        await self.fanout.unsubscribe(self.id, from: channel)
    }
}

extension Fanout {
    func subscribe(_ id: StreamID, to channel: ChannelName, since cursor: Cursor?) async throws(StreamError) {
        guard let stream = self.stream(id) else { return }
        try await self.subscribe(stream, to: channel, since: cursor)
    }

    func unsubscribe(_ id: StreamID, from channel: ChannelName) {
        guard let stream = self.stream(id) else { return }
        self.unsubscribe(stream, from: channel)
    }

    private func read(_ stream: Stream, _ writer: StreamWriter) {
        let result = stream.reader.read(from: writer, using: &self.scratch)
        stream.silence = 0
        stream.inbox += result.messages.map(\.bytes)
        let output = Frame(result.output)
        if result.breaksRules { return self.finish(stream, with: output, .refused) }
        if stream.inbox.count > self.limits.commands {
            return self.finish(stream, with: .webSocketClose(code: 1008, reason: "too many commands at once"), .refused)
        }
        if result.isOver {
            // What the peer asked for before it left is done first.
            guard stream.isServing || !stream.inbox.isEmpty else { return self.finish(stream, with: output, .peer) }
            stream.lastWords = output
            if let watch = stream.watch { self.loop.unwatch(watch) }
            stream.watch = nil
        } else if output.count > 0 {
            self.write(output, to: stream)
        }
        guard !stream.inbox.isEmpty, !stream.isServing else { return }
        stream.isServing = true
        let id = stream.id
        Task.immediate { await self.serve(id) }
    }

    /// Answers the commands of a socket one after the other, so that their effects keep their order.
    private func serve(_ id: StreamID) async {
        // Held, because a peer that has left may be gone before all that it asked for is done.
        guard let stream = self.stream(id) else { return }
        while let handler = self.commandHandler, !stream.inbox.isEmpty {
            let command = stream.inbox.removeFirst()
            let channel = stream.isComposite ? nil : stream.subscriptions.first?.channel
            let session = SocketSession(
                channel: channel,
                visitor: stream.visitor,
                language: stream.reading?.language,
                fanout: self,
                id: id
            )
            self.write(.webSocketText(await handler(session, command)), to: stream)
        }
        stream.isServing = false
        if let lastWords = stream.lastWords { self.finish(stream, with: lastWords, .peer) }
    }
}
