import EventLoop
import MicroHTTP
import ToastCore

extension Fanout {
    /// The maximum time over which streams are closed, in seconds: with more streams the slices grow.
    private static let drainTime = 4

    /// The minimum number of streams per slice.
    private static let smallestSlice = 250

    /// The time between two slices, in nanoseconds.
    private static let sliceInterval: Int64 = 100_000_000

    /// The time after which the remaining streams are ended, in nanoseconds.
    private static let drainLimit: Int64 = 10_000_000_000

    /// Completes all waiting requests, tells every stream to reconnect elsewhere, and closes it; new streams are
    /// refused.
    ///
    /// Streams close in slices, so that the server that takes them over does not get all of them at once.
    package func drain() async {
        self.isDraining = true
        self.flush()
        for stream in self.streams.all where stream.kind.answersOnce { self.complete(stream, .drained) }
        let slices = Self.drainTime * 1_000_000_000 / Int(Self.sliceInterval)
        self.sliceSize = max(Self.smallestSlice, (self.count + slices - 1) / slices)
        self.closeSlice()
        if self.count > 0 {
            _ = self.loop.schedule(at: EventLoop.now + Self.drainLimit, self, token: TimerToken.drainEnd)
            await withCheckedContinuation { self.drainWaiter = $0 }
        }
    }

    /// Waits until the last peer has read its last frames, or has been too slow.
    package func finishClosing() async { await self.lingering.finish() }

    /// Closes a slice of streams, and schedules the next slice.
    func closeSlice() {
        var left = self.sliceSize
        for stream in self.streams.all where left > 0 && !stream.isEnding && !stream.kind.answersOnce {
            let shutdown = stream.last(self.shutdownFrame(for: stream))
            if case .webSocket = stream.kind {
                self.write(shutdown, to: stream)
                self.close(stream, with: .webSocketClose(code: 1012, reason: "the server restarts"), .drained)
            } else {
                self.close(stream, with: shutdown, .drained)
            }
            left -= 1
        }
        guard left == 0 else { return }
        _ = self.loop.schedule(at: EventLoop.now + Self.sliceInterval, self, token: TimerToken.slice)
    }

    /// Tells the client when to reconnect; a random time per stream, so that clients do not reconnect together.
    private func shutdownFrame(for stream: Stream) -> Frame {
        let milliseconds = Int.random(in: 1000...10_000)
        let document = JSONWriter.encodedObject { writer in
            writer.member("type", EventType.shutdown)
            writer.member("at", self.hub.clock.now)
            writer.member("retry", Interval(seconds: Double(milliseconds) / 1000))
        }
        if case .webSocket = stream.kind { return .webSocketText(document) }
        let event = Frame.event(EventType.shutdown.rawValue, id: nil, data: document)
        return Frame(Array("retry: \(milliseconds)\n".utf8) + event.bytes)
    }
}
