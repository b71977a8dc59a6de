import EventLoop
import MicroHTTP
import ToastCore

// Streams with a single answer: long-polls, and publishers that wait for the end of a toast.

extension Fanout {
    /// Sets a timer that completes the stream.
    func limit(_ stream: Stream, to time: Interval) {
        stream.timer = self.loop.schedule(at: EventLoop.now + time.nanoseconds, self, token: stream.id.slot)
    }

    /// Completes the stream at a slot, because its time is up.
    ///
    /// A stream has one timer at most, which ``end(_:_:)`` cancels; so a timer never meets a later stream of its slot.
    func endTime(ofStreamAt slot: Int) {
        guard let stream = self.streams[slot] else { return }
        stream.timer = nil
        self.complete(stream, stream.kind.answersOnce ? .answered : .expired)
    }

    /// Adds the envelope of an event to the answer of a long-poll, which is sent at the end of the turn.
    ///
    /// - Returns: False when the answer would then exceed a page.
    func collect(_ envelope: Frame, for stream: Stream, after event: Stream.Place) -> Bool {
        let bytes = stream.envelope(envelope.bytes, self.hub.epoch, after: event)
        guard stream.collected.addToPage(Frame(bytes, charge: envelope.charge)) else { return false }
        guard stream.writer != nil, !stream.isEnding else { return true }
        stream.isEnding = true
        self.due.append(stream.id)
        return true
    }

    /// Adds the next event of a channel to the answer of a long-poll, if its filter wants the event.
    ///
    /// - Returns: False when the answer would then exceed a page; the next poll begins with this event.
    func collect(_ event: BroadcastEvent, for stream: Stream, at index: Int) -> Bool {
        let isLeft =
            stream.filter.wants(event.type)
            && !self.collect(Frame(event.envelope), for: stream, after: (index, event.offset))
        if isLeft { stream[logAt: index].fallBehind() } else { stream[logAt: index].advance(to: event.offset) }
        return !isLeft
    }

    /// Ends a stream, with its answer if it has a single one; a stream without a socket ends when it gets one.
    func complete(_ stream: Stream, _ reason: StreamEnd = .answered) {
        stream.noteEnd(reason)
        guard stream.writer != nil else { return stream.isEnding = true }
        switch stream.kind {
        case .poll(let answer):
            let body = self.pollBody(stream)
            _ = stream.collected.take()
            // Ends without an answer when the budget has no room: the next poll gets the same events.
            guard let body = self.hub.charged(Frame(body), to: stream.caller) else { return self.end(stream, .slow) }
            self.answer(stream) { Frame(answer(body.bytes, $0).bytes, charge: body.charge) }
        case .outcome(let id, let answer):
            self.answerOutcome(of: id, stream, answer)
        case .eventStream:
            self.end(stream, .expired)
        case .webSocket:
            self.close(stream, with: .webSocketClose(code: 1008, reason: "the credentials have ended"), .expired)
        }
    }

    /// Sends the only answer of a stream and ends it; the connection returns to the server if it can.
    private func answer(_ stream: Stream, with makeAnswer: (_ closesConnection: Bool) -> Frame) {
        guard let writer = stream.writer, let watch = stream.watch, !self.isDraining, !stream.isHalfClosed,
            writer.socket.canReturn
        else { return self.close(stream, with: makeAnswer(true), .answered) }
        let frame = makeAnswer(false)
        self.count(frame, of: stream)
        // Not all of it could be sent, and only a connection with nothing left to send can return to the server.
        guard writer.write(frame) == .clear else { return self.close(stream, sending: writer.unsent, .answered) }
        _ = stream.takeWatch()
        self.end(stream, .answered)
        writer.socket.returnToServer(watchedBy: watch)
    }

    /// Handles a publisher that has closed its half of the connection.
    ///
    /// The peer may still wait for the answer, or it may have left; both look the same. An interim answer tells them
    /// apart: the kernel of a peer that has left refuses it with a reset, and a client that still reads must accept an
    /// unexpected one (RFC 9110 §15.2). A peer that speaks HTTP/1.0 does not know interim answers (§15.2), so it is
    /// taken to have left.
    func probeHalfClosed(_ stream: Stream, _ writer: StreamWriter) {
        if stream.isHalfClosed { return self.watch(stream, for: stream.isBlocked ? .writable : []) }
        guard writer.socket.takesInterim else { return self.end(stream) }
        stream.isHalfClosed = true
        // Only a reset is reported then: epoll always reports it.
        self.watch(stream, for: [])
        guard !stream.isEnded else { return }
        self.write(Self.interim, to: stream)
    }

    private static let interim = Frame(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))

    /// Answers all long-polls that received an event in this turn.
    func answerDue() {
        guard !self.due.isEmpty else { return }
        let due = self.due
        self.due = []
        for id in due { if let stream = self.stream(id) { self.complete(stream) } }
    }

    /// The body of a long-poll's answer: the cursor to resume from, and the events.
    func pollBody(_ stream: Stream) -> [UInt8] {
        JSONWriter.encodedObject { writer in
            writer.member("cursor", stream.cursor(self.hub.epoch).description)
            writer.array("events") { writer in for envelope in stream.collected.envelopes { writer.encoded(envelope) } }
        }
    }

    /// Answers a publisher with the state of its toast.
    func answerOutcome(of toast: ToastID, _ stream: Stream, _ answer: @escaping OutcomeAnswer) {
        guard stream.writer != nil else { return stream.isEnding = true }
        if let ending = stream.ending { return self.answer(stream) { answer(.known(ending.toast), $0) } }
        guard let channel = stream.subscriptions.first?.channel, stream.beginLookingUp() else { return }
        let id = stream.id
        Task.immediate {
            let awaited: AwaitedToast
            switch try? await self.hub.perform(.read(.toast(toast)), on: channel) {
            case .found(let found): awaited = found.map { .known($0) } ?? .forgotten
            default: awaited = .unavailable
            }
            guard let stream = self.stream(id) else { return }
            self.answer(stream) { answer(awaited, $0) }
        }
    }
}

extension Fanout {
    /// Dismisses the toast of a withdrawing publisher that has lost its connection, unless another one waits for it.
    ///
    /// A client that lost its connection may repeat the request under the same key before the server notices the loss
    /// of the first connection.
    func withdraw(_ stream: Stream, _ end: StreamEnd) {
        guard stream.withdraws, case .outcome(let toast, _) = stream.kind else { return }
        guard self.hub.waitingPublishers.remove(toast), end == .peer, let name = stream.subscriptions.first?.channel
        else { return }
        Task {
            // If the store fails, the toast stays: a dismissal must be stored.
            _ = try? await self.hub.perform(.dismiss(toast, .api), on: name)
        }
    }

    /// Continues a publisher that has missed events: answers it if one of them was the end of its toast.
    ///
    /// It asks the channel, because the events in the log lack the toast's final state.
    func askForOutcome(_ stream: Stream, at index: Int) {
        guard case .outcome(let toast, let answer) = stream.kind else { return }
        let (id, channel) = (stream.id, stream.subscriptions[index].channel)
        stream[logAt: index].skipToEnd()
        Task.immediate {
            // If the channel cannot be asked now, the publisher waits until its time is up.
            guard case .found(let found) = try? await self.hub.perform(.read(.toast(toast)), on: channel),
                found.map({ $0.state == .dismissed }) ?? true, let stream = self.stream(id)
            else { return }
            self.answerOutcome(of: toast, stream, answer)
        }
    }
}
