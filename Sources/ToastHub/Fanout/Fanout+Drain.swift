import EventLoop
import MicroHTTP
import ToastCore

extension Fanout {
    /// The time over which all streams are closed, however many there are, in seconds.
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
    /// Streams close in slices, so that the server that takes them over does not get all of them at once. Returns when
    /// the last peer has read its last frames, or has been too slow.
    package func drain() async {
        self.drainage.begin()
        self.flush()
        for stream in self.streams.all {
            switch stream.kind {
            case .poll, .outcome: self.complete(stream, .drained)
            case .eventStream, .webSocket: break
            }
        }
        let slices = Self.drainTime * 1_000_000_000 / Int(Self.sliceInterval)
        self.closeSome(max(Self.smallestSlice, (self.count + slices - 1) / slices))
        if self.count > 0 {
            _ = self.loop.schedule(at: EventLoop.now + Self.drainLimit, Slice(fanout: self))
            await withCheckedContinuation { self.drainage.wait($0) }
        }
        await self.lingering.finish()
    }

    /// Closes a slice of streams, and schedules the next slice.
    fileprivate func closeSome(_ number: Int) {
        var left = number
        for stream in self.streams.all where left > 0 && !stream.isEnding {
            switch stream.kind {
            case .eventStream:
                self.close(stream, with: stream.last(self.shutdownFrame(for: stream)), .drained)
            case .webSocket:
                self.write(stream.last(self.shutdownFrame(for: stream)), to: stream)
                self.close(stream, with: .webSocketClose(code: 1012, reason: "the server restarts"), .drained)
            case .poll, .outcome:
                continue
            }
            left -= 1
        }
        guard left == 0 else { return }
        _ = self.loop.schedule(at: EventLoop.now + Self.sliceInterval, Slice(fanout: self), token: number)
    }

    /// Ends the remaining streams.
    fileprivate func endAll() {
        for stream in self.streams.all { self.end(stream, .drained) }
    }

    /// Tells the client when to reconnect; a random time per stream, so that clients do not reconnect together.
    private func shutdownFrame(for stream: Stream) -> Frame {
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

/// Wakes a fan-out for the next slice, or, when the time is up, for all remaining streams.
private final class Slice: Sleeper {
    private let fanout: Fanout

    init(fanout: Fanout) {
        self.fanout = fanout
    }

    func wake(token: Int) {
        self.fanout.assumeIsolated { token > 0 ? $0.closeSome(token) : $0.endAll() }
    }
}

/// The state of a drain, and the task that waits for its end.
struct Drainage {
    private(set) var hasBegun = false
    private var waiter: CheckedContinuation<Void, Never>?

    mutating func begin() {
        self.hasBegun = true
    }

    /// Resumes a task when the last stream has ended.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        self.waiter = continuation
    }

    /// Notes the number of remaining streams.
    mutating func note(left: Int) {
        guard self.hasBegun, left == 0 else { return }
        self.waiter?.resume()
        self.waiter = nil
    }
}
