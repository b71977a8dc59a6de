import EventLoop
import MicroHTTP
import ToastCore

extension Fanout: Sleeper, TurnHook {
    /// The maximum number of unanswered pings.
    private static let silenceLimit = 2

    /// Runs a beat, and schedules the next one.
    package nonisolated func wake(token: Int) {
        self.assumeIsolated { fanout in
            fanout.pulse()
            fanout.scheduleBeat()
        }
    }

    /// Sends the events of this turn.
    package nonisolated func endOfTurn() -> Int64? {
        self.onLoop(()) { fanout, _ in
            fanout.flush()
            fanout.answerDue()
        }
        return nil
    }

    /// Schedules the next beat, in a second ± 20 %; all times of streams are counted in beats.
    ///
    /// One timer serves all streams: each beat handles the streams whose slot it falls on, which spreads comments and
    /// pings over time.
    ///
    /// The jitter keeps the loops of many servers from beating together.
    func scheduleBeat() {
        _ = self.loop.schedule(at: EventLoop.now + Int64.random(in: 800_000_000...1_200_000_000), self)
    }

    private func pulse() {
        self.beat += 1
        self.retryReads()
        for slot in self.streams.indices {
            guard let stream = self.streams[slot], stream.writer != nil, !stream.isEnding else { continue }
            if stream.isBlocked, self.hasStalled(stream) { continue }
            switch stream.kind {
            case .eventStream where self.beat >= stream.lastBeat:
                let retry = Frame.eventStreamRetry(milliseconds: .random(in: 100...1000))
                self.close(stream, with: stream.last(retry), .aged)
            case .webSocket where self.beat >= stream.lastBeat:
                self.close(stream, with: .webSocketClose(code: 1001, reason: "old enough, come back"), .aged)
            case .eventStream where (slot + self.beat).isMultiple(of: self.limits.commentInterval):
                self.write(stream.keepAlive, to: stream)
            case .webSocket where (slot + self.beat).isMultiple(of: self.limits.pingInterval):
                self.ping(stream)
            case .eventStream, .webSocket, .poll, .outcome:
                break
            }
        }
    }

    /// Ends a stream whose peer has not read for too long; returns whether it did.
    ///
    /// The kernel detects peers that vanished, by `TCP_USER_TIMEOUT`; this handles peers that are connected but do not
    /// read.
    private func hasStalled(_ stream: Stream) -> Bool {
        guard stream.countBlockedBeat() > self.limits.stallTimeout else { return false }
        stream.writer?.socket.abort()
        self.end(stream, .stalled)
        return true
    }

    private func ping(_ stream: Stream) {
        if stream.commands?.countPing(limit: Self.silenceLimit) == false { return self.end(stream, .silent) }
        self.write(.webSocketPing, to: stream)
    }
}
