import EventLoop
import MicroHTTP
import ToastCore

/// What a timer of a fan-out is for.
///
/// These are negative, because every other token is the slot of a stream whose time is up. Slots begin at 0, so a timer
/// without a token would end the stream in slot 0.
enum TimerToken {
    static let beat = -1
    static let lostClients = -2
    static let slice = -3
    static let drainEnd = -4
}

extension Fanout: Sleeper, TurnHook {
    /// The maximum number of unanswered pings.
    private static let silenceLimit = 2

    package nonisolated func wake(token: Int) {
        self.assumeIsolated { fanout in
            switch token {
            case TimerToken.beat:
                fanout.runBeat()
                fanout.scheduleBeat()
            case TimerToken.lostClients: fanout.endStreamsOfLostClients()
            case TimerToken.slice: fanout.closeSlice()
            case TimerToken.drainEnd:
                for stream in fanout.streams.all { fanout.end(stream, .drained) }
            default: fanout.endTime(ofStreamAt: token)
            }
        }
    }

    /// Sends the events of this turn.
    package nonisolated func endTurn(begunAt start: Int64) -> Int64? {
        self.onLoop(()) { fanout, _ in
            fanout.flush()
            fanout.answerDue()
        }
        return nil
    }

    /// Schedules the next beat, in a second ± 20 %; all times of streams are counted in beats.
    ///
    /// One timer serves all streams. Each beat sends comments and pings only to some of the slots, which spreads them
    /// over time.
    ///
    /// The jitter keeps the loops of many servers from beating together.
    func scheduleBeat() {
        let deadline = EventLoop.now + Int64.random(in: 800_000_000...1_200_000_000)
        _ = self.loop.schedule(at: deadline, self, token: TimerToken.beat)
    }

    private func runBeat() {
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
                self.close(stream, with: .webSocketClose(code: 1001, reason: "age limit reached, reconnect"), .aged)
            case .eventStream where (slot + self.beat).isMultiple(of: self.limits.commentInterval):
                self.keepAlive(stream)
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

    /// Sends an event stream its keep-alive frame.
    private func keepAlive(_ stream: Stream) {
        // The position of a stream that is served directly is in its row.
        self.removeDirectSubscriber(stream)
        self.write(stream.keepAlive(self.hub.epoch), to: stream)
        self.addDirectSubscriber(stream)
    }

    private func ping(_ stream: Stream) {
        if stream.commands?.countPing(limit: Self.silenceLimit) == false { return self.end(stream, .silent) }
        self.write(.webSocketPing, to: stream)
    }
}
