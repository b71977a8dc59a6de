package import EventLoop
import Metrics
import MicroHTTP
import ToastAccess
import ToastCore

extension Fanout: Watcher {
    package nonisolated func ready(_ readiness: Readiness, token: Int) {
        self.assumeIsolated { $0.handle(readiness, slot: token) }
    }

    /// Gives a stream its socket, and sends the frames that wait for it.
    func attach(_ socket: Socket, to id: StreamID, head: Frame?) {
        guard let stream = self.stream(id), stream.writer == nil else { return }
        do throws(SystemError) {
            let watch = try self.loop.watch(socket.descriptor, for: [.readable, .peerClosed], by: self, token: id.slot)
            stream.attach(StreamWriter(socket: socket, backlog: self.limits.backlog), watchedBy: watch)
        } catch {
            return self.end(stream, .failed)
        }
        if stream.kind.answersOnce {
            if stream.isEnding || !stream.collected.isEmpty { self.complete(stream) }
            return
        }
        if let head { stream.collected.prepend(head) }
        guard !stream.isEnding else { return self.close(stream, sending: stream.collected.take(), .expired) }
        // First the missed events: mostly they are few, and go out in the same write.
        self.catchUp(stream)
        self.sendCollected(stream)
    }

    func sendCollected(_ stream: Stream) {
        guard !stream.isEnded, stream.writer != nil, !stream.collected.isEmpty else { return }
        self.write(Frame(joining: stream.collected.take()), to: stream)
    }

    /// Ends a stream that never got its socket.
    func endUnattached(_ id: StreamID, _ reason: StreamEnd) {
        guard let stream = self.stream(id), stream.writer == nil else { return }
        self.end(stream, reason)
    }

    /// Writes a frame after all others of the stream.
    func write(_ frame: Frame, to stream: Stream) {
        guard !stream.isEnded, frame.count > 0 else { return }
        guard let writer = stream.writer else { return stream.collected.append(frame) }
        let frame = stream.collected.isEmpty ? frame : Frame(joining: stream.collected.take() + [frame])
        self.count(frame, of: stream)
        self.handle(writer.write(frame), stream)
    }

    /// Closes a stream with a last frame after all that wait.
    func close(_ stream: Stream, with frame: Frame, _ reason: StreamEnd) {
        guard !stream.isEnded else { return }
        self.count(frame, of: stream)
        guard let writer = stream.writer else {
            stream.collected.append(frame)
            stream.noteEnd(reason)
            return stream.isEnding = true
        }
        self.close(stream, sending: writer.unsent + [frame], reason)
    }

    func count(_ frame: Frame, of stream: Stream) {
        stream.count(1, bytes: frame.count)
        self.meter.frames.add()
        self.meter.bytes.add(frame.count)
    }

    /// Removes a stream; its socket lingers until the peer has read the last frames.
    func close(_ stream: Stream, sending frames: [Frame], _ reason: StreamEnd) {
        guard let socket = stream.writer?.socket else { return }
        self.end(stream, reason)
        self.lingering.assumeIsolated { $0.end(socket, sending: frames) }
    }

    /// Closes a stream whose peer reads too slowly, or whose log cannot be read: waiting frames are dropped, and the
    /// client is told to reconnect.
    ///
    /// The client resumes from the last event that it got completely.
    func closeEarly(_ stream: Stream, _ reason: StreamEnd) {
        guard let writer = stream.writer else { return self.end(stream, reason) }
        switch stream.kind {
        case .eventStream:
            let retry = stream.last(.eventStreamRetry(milliseconds: .random(in: 1000...5000)))
            self.close(stream, sending: writer.unfinished + [retry], reason)
        case .webSocket:
            let text = reason == .slow ? "reading too slowly, reconnect" : "reconnect"
            let close = Frame.webSocketClose(code: 1013, reason: text)
            self.close(stream, sending: writer.unfinished + [close], reason)
        case .poll, .outcome:
            self.end(stream, reason)
        }
    }

    /// Removes a stream at once, and its socket with it.
    func end(_ stream: Stream, _ reason: StreamEnd = .peer) {
        guard !stream.isEnded else { return }
        self.removeDirectSubscriber(stream)
        self.report(stream, stream.end ?? reason)
        self.withdraw(stream, reason)
        self.streams.remove(stream.id)
        self.hub.streamQuotas.uncountStream(from: stream.caller.source)
        if let watch = stream.watch { self.loop.unwatch(watch) }
        if let timer = stream.timer { self.loop.cancel(timer) }
        for subscription in stream.subscriptions {
            self.leaveChannel(subscription)
            self.hub.streamQuotas.uncountSubscription(to: subscription.channel)
            if subscription.isJoined { self.hub.leave(subscription.channel, self, stream.listener) }
        }
        stream.didEnd()
        stream.resumeOpening(nil)
        // The commands of a peer that has left are still carried out; those of a peer that is sent away are not.
        if reason != .peer { stream.commands?.removeAll() }
        guard self.count == 0 else { return }
        self.drainWaiter.take()?.resume()
    }

    private func report(_ stream: Stream, _ end: StreamEnd) {
        let transport = stream.kind.transport
        if let transport { self.meter.countClosed(transport, end) }
        self.whenEnded?(
            StreamRecord(
                requestID: stream.requestID,
                transport: transport,
                caller: stream.caller.principal.name,
                duration: EventLoop.now - stream.start,
                frames: stream.frames,
                bytes: stream.bytes,
                end: end
            )
        )
    }

    private func handle(_ readiness: Readiness, slot: Int) {
        guard let stream = self.streams[slot], let writer = stream.writer else { return }
        if readiness.contains(.writable) { self.handle(writer.resume(), stream) }
        guard self.stream(stream.id) != nil, !readiness.isDisjoint(with: [.readable, .peerClosed, .hungUp]) else {
            return
        }
        if let commands = stream.commands { return self.readCommands(commands, of: stream, writer) }
        if case .outcome = stream.kind, !readiness.contains(.hungUp), readiness.contains(.peerClosed) {
            return self.probeHalfClosed(stream, writer)
        }
        if writer.socket.mayReturn, readiness == .readable {
            // The next request, which the stream must not read; watching for it would wake the stream again and again.
            return self.watch(stream, for: .peerClosed)
        }
        if writer.socket.mayReturn || !writer.drain(using: &self.scratch) { self.end(stream) }
    }

    func handle(_ status: StreamWriter.Status, _ stream: Stream) {
        switch status {
        case .clear:
            if stream.isBlocked { self.watch(stream, isBlocked: false) }
        case .blocked:
            if !stream.isBlocked { self.watch(stream, isBlocked: true) }
        case .overflowed:
            self.closeEarly(stream, .slow)
        case .gone:
            self.end(stream)
        }
    }

    private func watch(_ stream: Stream, isBlocked: Bool) {
        stream.noteBlocked(isBlocked)
        if isBlocked { self.removeDirectSubscriber(stream) }
        self.watch(stream, for: isBlocked ? [.readable, .peerClosed, .writable] : [.readable, .peerClosed])
        // All waiting frames are sent, so the replay continues.
        if !isBlocked { self.catchUp(stream) }
    }

    func watch(_ stream: Stream, for readiness: Readiness) {
        guard let watch = stream.watch else { return }
        do throws(SystemError) { try self.loop.rewatch(watch, for: readiness) } catch { self.end(stream) }
    }
}
