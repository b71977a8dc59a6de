public import EventLoop
import MicroHTTP
import ToastCore

extension Fanout: Sleeper, TurnHook {
    /// An SSE stream gets a comment once in so many beats, each a second ± 20 %.
    private static let commentBeats = 15

    /// A WebSocket gets a ping once in so many beats.
    private static let pingBeats = 25

    /// Pings that may stay unanswered.
    private static let silenceLimit = 2

    /// The next beat has come.
    public nonisolated func wake(token: Int) {
        self.assumeIsolated { fanout in
            fanout.pulse()
            fanout.scheduleBeat()
        }
    }

    /// Sends what this turn has brought.
    public nonisolated func endOfTurn() -> Int64? {
        self.assumeIsolated { fanout in
            fanout.flush()
            fanout.answerDue()
        }
        return nil
    }

    /// One timer serves all streams: at every beat it is the turn of those whose slot falls on it, so that comments are
    /// spread over time.
    ///
    /// The jitter keeps the loops of many servers from beating together.
    func scheduleBeat() {
        _ = self.loop.schedule(at: EventLoop.now + Int64.random(in: 800_000_000...1_200_000_000), self)
    }

    private func pulse() {
        self.beat += 1
        for slot in self.streams.indices {
            guard let stream = self.streams[slot], stream.writer != nil, !stream.isEnding else { continue }
            switch stream.kind {
            case .eventStream where (slot + self.beat).isMultiple(of: Self.commentBeats):
                self.write(.eventStreamComment, to: stream)
            case .webSocket where (slot + self.beat).isMultiple(of: Self.pingBeats):
                self.ping(stream)
            case .eventStream, .webSocket, .poll, .outcome:
                break
            }
        }
    }

    private func ping(_ stream: Stream) {
        guard stream.silence < Self.silenceLimit else { return self.end(stream) }
        stream.silence += 1
        self.write(.webSocketPing, to: stream)
    }
}

// MARK: - Draining

extension Fanout {
    /// Tells every stream to come back elsewhere, and ends it.
    public func drain() {
        self.isDraining = true
        self.flush()
        for case let stream? in self.streams {
            switch stream.kind {
            case .eventStream: self.finish(stream, with: self.farewell(stream))
            case .webSocket:
                self.write(self.farewell(stream), to: stream)
                self.finish(stream, with: .webSocketClose(code: 1001, reason: "the server is going away"))
            case .poll, .outcome: self.finish(stream)
            }
        }
    }

    /// Says when to come back, another time for each stream, so that they do not come together.
    private func farewell(_ stream: Stream) -> Frame {
        let milliseconds = Int.random(in: 1000...10_000)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", EventType.shutdown)
            writer.member("retry", Interval(seconds: Double(milliseconds) / 1000))
        }
        if case .webSocket = stream.kind { return .webSocketText(writer.bytes) }
        let event = Frame.event(EventType.shutdown.rawValue, id: nil, data: writer.bytes)
        return Frame(Array("retry: \(milliseconds)\n".utf8) + event.bytes)
    }
}
