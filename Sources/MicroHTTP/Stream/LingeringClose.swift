public import EventLoop

/// Ends connections so that the peer gets the last words: sends what is left, closes its own half, and reads until the
/// peer has closed too.
///
/// A socket that is closed while input lies unread is reset, and a reset makes the peer's system drop what it has not
/// read yet (RFC 9112 §9.6). So a refusal, a closing frame of a WebSocket or the end of a stream would get lost now and
/// then. Sockets here cost a slot each; they are bounded in number, in time, and in what is read from them.
public actor LingeringClose: LoopActor {
    private final class Departure {
        let writer: StreamWriter
        var watch: EventLoop.Watch?
        var isHalfClosed = false
        var received = 0
        var deadline: Int

        init(socket: Socket, deadline: Int) {
            self.writer = StreamWriter(socket: socket)
            self.deadline = deadline
        }
    }

    /// The loop that the sockets live on.
    public nonisolated let loop: EventLoop

    private var departures: [Departure?] = []
    private var free: [Int] = []
    private var beat = 0
    private var isBeating = false
    private var whenDone: CheckedContinuation<Void, Never>?
    private var buffer: [UInt8] = []

    /// The most sockets at a time; one more is closed at once.
    private static let limit = 4096

    /// How long the peer may take to read the last words, in beats of half a second.
    private static let sendBeats = 20

    /// How long the peer may take to close its half then.
    private static let closeBeats = 4

    /// How much is read and dropped meanwhile, in bytes.
    private static let receiveLimit = 1024 * 1024

    private static let beatLength: Int64 = 500_000_000

    /// Nothing to end yet.
    public init(loop: EventLoop) {
        self.loop = loop
    }

    /// How many connections are being ended.
    public var count: Int { self.departures.count - self.free.count }

    /// Ends a connection.
    ///
    /// - Parameters:
    ///   - socket: The connection's socket, which nobody else watches any longer.
    ///   - frames: What is still to be sent.
    public func end(_ socket: Socket, sending frames: [Frame] = []) {
        guard self.count < Self.limit else { return }
        let slot = self.free.popLast() ?? self.departures.count
        if slot == self.departures.count { self.departures.append(nil) }
        let departure = Departure(socket: socket, deadline: self.beat + Self.sendBeats)
        self.departures[slot] = departure
        var status = StreamWriter.Status.clear
        for frame in frames { status = departure.writer.write(frame) }
        // What does not fit any longer is lost; what does, is not.
        if status == .overflowed { status = .blocked }
        // Mostly all is out at once, and only the peer's end is left to wait for.
        if status == .gone || (status == .clear && !self.closeHalf(departure)) { return self.remove(slot) }
        do throws(SystemError) {
            departure.watch = try self.loop.watch(
                socket.descriptor,
                for: status == .clear ? [.readable] : [.readable, .writable, .peerClosed],
                by: self,
                token: slot
            )
        } catch {
            return self.remove(slot)
        }
        guard !self.isBeating, self.count > 0 else { return }
        self.isBeating = true
        self.scheduleBeat()
    }

    /// Waits until all connections are ended, which takes no longer than their time.
    public func finish() async {
        guard self.count > 0, self.whenDone == nil else { return }
        await withCheckedContinuation { self.whenDone = $0 }
    }

    private func handle(_ readiness: Readiness, slot: Int) {
        guard let departure = self.departure(at: slot) else { return }
        if readiness.contains(.writable), !departure.isHalfClosed {
            self.advance(departure, departure.writer.resume(), slot)
        }
        guard self.departure(at: slot) != nil, !readiness.isDisjoint(with: [.readable, .peerClosed, .hungUp]) else {
            return
        }
        self.drain(departure, slot, isBroken: readiness.contains(.hungUp))
    }

    private func advance(_ departure: Departure, _ status: StreamWriter.Status, _ slot: Int) {
        switch status {
        case .blocked:
            break
        case .overflowed, .gone:
            self.remove(slot)
        case .clear:
            guard self.closeHalf(departure), let watch = departure.watch else { return self.remove(slot) }
            do throws(SystemError) { try self.loop.rewatch(watch, for: [.readable]) } catch { self.remove(slot) }
        }
    }

    /// Says that nothing more comes; false when the connection is gone.
    private func closeHalf(_ departure: Departure) -> Bool {
        departure.isHalfClosed = true
        departure.deadline = self.beat + Self.closeBeats
        return SocketCalls.closeHalf(departure.writer.socket.descriptor)
    }

    /// Reads what the peer has sent, and drops it.
    private func drain(_ departure: Departure, _ slot: Int, isBroken: Bool) {
        if self.buffer.isEmpty { self.buffer = [UInt8](repeating: 0, count: 64 * 1024) }
        switch SocketCalls.receive(departure.writer.socket.descriptor, into: &self.buffer) {
        case .empty:
            break
        case .received(let count):
            departure.received += count
            if departure.received > Self.receiveLimit { self.remove(slot) }
        case .ended where departure.isHalfClosed || isBroken:
            self.remove(slot)
        case .ended:
            // The peer has said all it had to say, and may still listen: its half alone ended.
            guard let watch = departure.watch else { return self.remove(slot) }
            do throws(SystemError) { try self.loop.rewatch(watch, for: [.writable]) } catch { self.remove(slot) }
        }
    }

    private func departure(at slot: Int) -> Departure? {
        self.departures.indices.contains(slot) ? self.departures[slot] : nil
    }

    private func remove(_ slot: Int) {
        guard let departure = self.departure(at: slot) else { return }
        if let watch = departure.watch { self.loop.unwatch(watch) }
        self.departures[slot] = nil
        self.free.append(slot)
        guard self.count == 0 else { return }
        (self.departures, self.free, self.buffer) = ([], [], [])
        self.whenDone?.resume()
        self.whenDone = nil
    }

    private func scheduleBeat() {
        _ = self.loop.schedule(at: EventLoop.now + Self.beatLength, self)
    }

    private func sweep() {
        self.beat += 1
        for (slot, departure) in self.departures.enumerated() {
            guard let departure, departure.deadline <= self.beat else { continue }
            // The kernel would keep what was not read for minutes.
            SocketCalls.abort(departure.writer.socket.descriptor)
            self.remove(slot)
        }
        self.isBeating = self.count > 0
        if self.isBeating { self.scheduleBeat() }
    }
}

extension LingeringClose: Watcher, Sleeper {
    /// A socket is ready.
    public nonisolated func ready(_ readiness: Readiness, token: Int) {
        self.assumeIsolated { $0.handle(readiness, slot: token) }
    }

    /// A beat has come.
    public nonisolated func wake(token: Int) {
        self.assumeIsolated { $0.sweep() }
    }
}
