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
    func hold(_ envelope: [UInt8], for stream: Stream) {
        stream.held.append(Frame(stream.envelope(envelope, self.hub.epoch)))
        guard stream.writer != nil, !stream.isEnding else { return }
        stream.isEnding = true
        self.due.append(stream.id)
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
            self.finish(stream) { answer(body, $0) }
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
        guard let writer = stream.writer, let watch = stream.watch, !self.isDraining, writer.socket.canReturn else {
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
        guard let channel = stream.subscriptions.first?.joined, !stream.isServing else { return }
        stream.isServing = true
        let id = stream.id
        Task.immediate {
            // A channel that cannot be read right now remembers nothing.
            let found = try? await channel.toast(toast)
            if let stream = self.stream(id) { self.finish(stream) { answer(found ?? nil, $0) } }
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
