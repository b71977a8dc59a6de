import EventLoop
import MicroHTTP
import ToastCore

extension Fanout {
    /// How long it takes to send all streams away, however many there are, in seconds.
    private static let drainTime = 4

    /// The least number of streams that a slice has.
    private static let smallestSlice = 250

    /// The time from one slice to the next, in nanoseconds.
    private static let sliceInterval: Int64 = 100_000_000

    /// When streams that have not ended by then are cut off, in nanoseconds.
    private static let drainLimit: Int64 = 10_000_000_000

    /// Answers all who wait, tells every stream to come back elsewhere, and ends it; new streams are refused.
    ///
    /// Streams go in slices, so that whoever takes them over does not get all of them at once. Returns when the last
    /// peer has read its last words, or was too slow to.
    public func drain() async {
        self.isDraining = true
        self.flush()
        for case let stream? in self.streams {
            switch stream.kind {
            case .poll, .outcome: self.finish(stream, .drained)
            case .eventStream, .webSocket: break
            }
        }
        let slices = Self.drainTime * 1_000_000_000 / Int(Self.sliceInterval)
        self.sendAway(atOnce: max(Self.smallestSlice, (self.count + slices - 1) / slices))
        if self.count > 0 {
            _ = self.loop.schedule(at: EventLoop.now + Self.drainLimit, Slice(fanout: self))
            await withCheckedContinuation { self.whenDrained = $0 }
        }
        await self.lingering.finish()
    }

    /// Ends some streams, and sees to the next ones in a moment.
    fileprivate func sendAway(atOnce number: Int) {
        var left = number
        for case let stream? in self.streams where left > 0 && !stream.isEnding {
            switch stream.kind {
            case .eventStream:
                self.finish(stream, with: self.farewell(stream), .drained)
            case .webSocket:
                self.write(self.farewell(stream), to: stream)
                self.finish(stream, with: .webSocketClose(code: 1012, reason: "the server restarts"), .drained)
            case .poll, .outcome:
                continue
            }
            left -= 1
        }
        guard left == 0 else { return }
        _ = self.loop.schedule(at: EventLoop.now + Self.sliceInterval, Slice(fanout: self), token: number)
    }

    /// Ends what has not ended by itself.
    fileprivate func cutOff() {
        for case let stream? in self.streams { self.end(stream, .drained) }
    }

    /// Says when to come back, another time for each stream, so that they do not come together.
    private func farewell(_ stream: Stream) -> Frame {
        let milliseconds = Int.random(in: 1000...10_000)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", EventType.shutdown)
            writer.member("at", self.hub.clock.now)
            writer.member("retry", Interval(seconds: Double(milliseconds) / 1000))
        }
        if case .webSocket = stream.kind { return .webSocketText(writer.bytes) }
        let event = Frame.event(EventType.shutdown.rawValue, id: nil, data: writer.bytes)
        return Frame(Array("retry: \(milliseconds)\n".utf8) + event.bytes)
    }
}

/// Wakes a fanout for the next slice of streams to send away, or for what is left when the time is up.
private final class Slice: Sleeper {
    private let fanout: Fanout

    init(fanout: Fanout) {
        self.fanout = fanout
    }

    func wake(token: Int) {
        self.fanout.assumeIsolated { token > 0 ? $0.sendAway(atOnce: token) : $0.cutOff() }
    }
}
