import EventLoop
import MicroHTTP
import ToastCore

// Streams that answer once: long-polls, and publishers that wait for a toast's end.

extension Fanout {
    /// Ends a stream's wait after a while.
    func expire(_ stream: Stream, after wait: Interval) {
        stream.timer = self.loop.schedule(
            at: EventLoop.now + wait.nanoseconds,
            Expiry(fanout: self, id: stream.id)
        )
    }

    /// Keeps an envelope for a long-poll, which is answered at the end of the turn.
    ///
    /// - Returns: False when the answer would be more than a page with it.
    func hold(_ envelope: Frame, for stream: Stream) -> Bool {
        let frame = Frame(stream.envelope(envelope.bytes, self.hub.epoch), charge: envelope.charge)
        guard stream.held.isEmpty || stream.heldBytes + frame.count <= ReplayPage.bytes else {
            stream.isFull = true
            return false
        }
        stream.held.append(frame)
        stream.heldBytes += frame.count
        if stream.heldBytes >= ReplayPage.bytes { stream.isFull = true }
        guard stream.writer != nil, !stream.isEnding else { return true }
        stream.isEnding = true
        self.due.append(stream.id)
        return true
    }

    /// Keeps the next event of a channel for a long-poll, if it wants it.
    ///
    /// - Returns: False when the answer would be more than a page with it: the next one begins there.
    func hold(_ event: BroadcastEvent, for stream: Stream, at index: Int) -> Bool {
        let before = stream.subscriptions[index].log
        stream.subscriptions[index].log.advance(to: event.offset)
        guard stream.filter.wants(event.type), !self.hold(Frame(event.envelope), for: stream) else { return true }
        stream.subscriptions[index].log = before
        stream.subscriptions[index].log.fallBehind()
        return false
    }

    /// Ends a stream whose time is up, or whose event has come, with its answer if it has one.
    func finish(_ stream: Stream, _ end: StreamEnd = .answered) {
        stream.end = stream.end ?? end
        guard stream.writer != nil else {
            stream.isEnding = true
            return
        }
        switch stream.kind {
        case .poll(let answer):
            let body = self.pollBody(stream)
            stream.held = []
            // Without an answer, when there is no memory for it: the next poll gets the same.
            let charge =
                body.count > MemoryBudget.freeBytes ? self.hub.chargeOutput(body.count, to: stream.visitor) : nil
            guard charge != nil || body.count <= MemoryBudget.freeBytes else { return self.end(stream, .slow) }
            self.finish(stream) { Frame(answer(body, $0).bytes, charge: charge) }
        case .outcome(let id, let answer):
            self.answerOutcome(of: id, stream, answer)
        case .eventStream:
            self.end(stream, .expired)
        case .webSocket:
            self.finish(stream, with: .webSocketClose(code: 1008, reason: "the credentials have ended"), .expired)
        }
    }

    /// Ends a stream that has its socket with its one answer, behind which the connection goes on if it can.
    private func finish(_ stream: Stream, with answer: (_ isLast: Bool) -> Frame) {
        guard let writer = stream.writer, let watch = stream.watch, !self.isDraining, !stream.isHalfClosed,
            writer.socket.canReturn
        else {
            return self.finish(stream, with: answer(true), .answered)
        }
        let frame = answer(false)
        self.count(frame, of: stream)
        // Whoever leaves so much unread may come back over another connection.
        guard writer.write(frame) == .clear else { return self.part(stream, sending: writer.unsent, .answered) }
        stream.watch = nil
        self.end(stream, .answered)
        writer.socket.giveBack(watchedBy: watch)
    }

    /// Goes on with a publisher that has closed its half of the connection: it may wait for the answer all the same.
    ///
    /// Or it has left; both look alike. An interim answer tells them apart: the system of a peer that has left refuses it
    /// with a reset, and whoever still reads has to take one that nobody asked for (RFC 9110 §15.2). A peer that speaks
    /// HTTP/1.0 does not know such answers (§15.2), so it is taken to have left.
    func hearOut(_ stream: Stream, _ writer: StreamWriter) {
        if stream.isHalfClosed { return self.watch(stream, for: stream.isBlocked ? .writable : []) }
        guard writer.socket.takesInterim else { return self.end(stream) }
        stream.isHalfClosed = true
        // Of what is watched always, a reset is left.
        self.watch(stream, for: [])
        guard !stream.isEnded else { return }
        self.write(Self.interim, to: stream)
    }

    private static let interim = Frame(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))

    /// Answers all long-polls for which something came in this turn.
    func answerDue() {
        let due = self.due
        self.due = []
        for id in due { if let stream = self.stream(id) { self.finish(stream) } }
    }

    /// The body of a long-poll's answer: where to go on from, and what came.
    func pollBody(_ stream: Stream) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("cursor", stream.cursor(self.hub.epoch).description)
            writer.name("events")
            writer.array { writer in for frame in stream.held { writer.encoded(frame.bytes) } }
        }
        return writer.bytes
    }

    /// Tells a publisher how its toast stands.
    func answerOutcome(of toast: ToastID, _ stream: Stream, _ answer: @escaping OutcomeAnswer) {
        guard stream.writer != nil else {
            stream.isEnding = true
            return
        }
        if let ending = stream.ending { return self.finish(stream) { answer(ending.toast, $0) } }
        guard let channel = stream.subscriptions.first?.channel, !stream.isServing else { return }
        stream.isServing = true
        let id = stream.id
        Task.immediate {
            // A channel that cannot be read right now remembers nothing.
            let found = try? await self.hub.perform(.read(.toast(toast)), on: channel)
            guard let stream = self.stream(id) else { return }
            self.finish(stream) { if case .found(let toast) = found { answer(toast, $0) } else { answer(nil, $0) } }
        }
    }
}

// MARK: - Long-polls that are being opened

extension Fanout {
    /// Reads what a long-poll missed, a page at most.
    ///
    /// - Throws: Why it could not be read.
    func read(for id: StreamID) async throws(StreamError) {
        guard let stream = self.stream(id), stream.isReading else { return }
        let failure = await withCheckedContinuation { stream.whenRead = $0 }
        if let failure { throw failure }
    }

    /// Lets a long-poll that is being opened go on.
    func endReading(_ stream: Stream, _ failure: StreamError?) {
        if let whenRead = stream.whenRead {
            stream.whenRead = nil
            whenRead.resume(returning: failure)
        }
    }
}

/// Wakes a fanout for one stream.
///
/// An object of its own, because the fanout's own timer is the heartbeat.
private final class Expiry: Sleeper {
    private let fanout: Fanout
    private let id: StreamID

    init(fanout: Fanout, id: StreamID) {
        self.fanout = fanout
        self.id = id
    }

    func wake(token: Int) {
        self.fanout.assumeIsolated { fanout in
            guard let stream = fanout.stream(self.id) else { return }
            stream.timer = nil
            fanout.finish(stream, stream.transport == .sse || stream.transport == .websocket ? .expired : .answered)
        }
    }
}
