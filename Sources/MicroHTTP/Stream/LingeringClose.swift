public import EventLoop

/// Ends connections so that the peer gets the last bytes: sends what is left, closes its own half, and reads until the
/// peer has closed too.
///
/// The kernel resets a connection that is closed with unread input, and a reset makes the peer's system drop what it
/// has not read yet (RFC 9112 §9.6). So a refusal, a closing frame of a WebSocket or the end of a stream would
/// sometimes be lost. The connections are bounded in number, in time, and in what is read from them.
public actor LingeringClose: LoopActor {
    private final class ClosingConnection {
        let writer: StreamWriter
        var watch: EventLoop.Watch?
        /// When the own half was closed; nil before.
        var halfClosed: Int64?
        /// Whether the peer had bytes to read when its time was last over.
        var wasBehind = false
        var received = 0
        /// When the peer's time to read the last bytes is over.
        let end: Int64
        /// Ends the connection when the peer takes too long.
        var timer: EventLoop.Timer

        init(writer: StreamWriter, end: Int64, timer: EventLoop.Timer) {
            self.writer = writer
            self.end = end
            self.timer = timer
        }
    }

    /// The loop that the sockets live on.
    public nonisolated let loop: EventLoop

    private var connections: [Int: ClosingConnection] = [:]
    /// The number of the last connection, its key and the token of its watch and timer.
    private var latest = 0
    private var whenDone: CheckedContinuation<Void, Never>?
    private var buffer: [UInt8] = []

    /// The most connections at a time; one more gets what the kernel takes at once, and is closed.
    private static let limit = 4096

    /// How long the peer may take to read the last bytes, in nanoseconds.
    private static let sendTimeout: Int64 = 10_000_000_000

    /// No limit: the frames are in memory already, and one left out would be a gap before the next.
    private static let backlog = StreamWriter.Backlog(frames: .max, bytes: .max)

    /// How long the peer may take to close its half after that, in nanoseconds.
    private static let closeTimeout: Int64 = 2_000_000_000

    /// The most bytes that are read and dropped; a connection with more is closed.
    private static let receiveLimit = 1024 * 1024

    /// Without connections.
    public init(loop: EventLoop) {
        self.loop = loop
    }

    /// How many connections are being ended.
    public var count: Int { self.connections.count }

    /// Ends a connection.
    ///
    /// - Parameters:
    ///   - socket: The connection's socket, which nothing else watches.
    ///   - frames: The last frames to send.
    public func end(_ socket: Socket, sending frames: [Frame] = []) {
        let writer = StreamWriter(socket: socket, backlog: Self.backlog)
        var status = StreamWriter.Status.clear
        for frame in frames { status = writer.write(frame) }
        guard status != .gone, self.count < Self.limit else { return }
        self.latest += 1
        let number = self.latest
        let end = EventLoop.now + Self.sendTimeout
        let timer = self.loop.schedule(at: end, self, token: number)
        let connection = ClosingConnection(writer: writer, end: end, timer: timer)
        self.connections[number] = connection
        // Usually all frames are sent at once, and only the peer's close is left to wait for.
        if status == .clear, !self.closeHalf(connection) { return self.remove(number) }
        do throws(SystemError) {
            connection.watch = try self.loop.watch(
                socket.descriptor,
                for: status == .clear ? [.readable] : [.readable, .writable, .peerClosed],
                by: self,
                token: number
            )
        } catch {
            self.remove(number)
        }
    }

    /// Waits until all connections have ended, which is bounded by their deadlines.
    public func finish() async {
        guard self.count > 0, self.whenDone == nil else { return }
        await withCheckedContinuation { self.whenDone = $0 }
    }

    private func handle(_ readiness: Readiness, number: Int) {
        guard let connection = self.connections[number] else { return }
        if readiness.contains(.writable), connection.halfClosed == nil {
            self.advance(connection, connection.writer.resume(), number)
        }
        guard self.connections[number] != nil, !readiness.isDisjoint(with: [.readable, .peerClosed, .hungUp]) else {
            return
        }
        self.drain(connection, number, isBroken: readiness.contains(.hungUp))
    }

    private func advance(_ connection: ClosingConnection, _ status: StreamWriter.Status, _ number: Int) {
        switch status {
        case .blocked:
            break
        case .overflowed, .gone:
            self.remove(number)
        case .clear:
            guard self.closeHalf(connection), let watch = connection.watch else { return self.remove(number) }
            do throws(SystemError) { try self.loop.rewatch(watch, for: [.readable]) } catch { self.remove(number) }
        }
    }

    /// Closes the own half; false when the connection is gone.
    private func closeHalf(_ connection: ClosingConnection) -> Bool {
        let now = EventLoop.now
        connection.halfClosed = now
        _ = self.loop.reschedule(connection.timer, at: now + Self.closeTimeout)
        return SocketCalls.closeHalf(connection.writer.socket.descriptor)
    }

    /// Reads input and drops it.
    private func drain(_ connection: ClosingConnection, _ number: Int, isBroken: Bool) {
        if self.buffer.isEmpty { self.buffer = [UInt8](repeating: 0, count: 64 * 1024) }
        switch SocketCalls.receive(connection.writer.socket.descriptor, into: &self.buffer) {
        case .empty:
            break
        case .received(let count):
            connection.received += count
            if connection.received > Self.receiveLimit { self.remove(number) }
        case .ended where connection.halfClosed != nil || isBroken:
            self.remove(number)
        case .ended:
            // Only the peer's half is closed: it may still read.
            guard let watch = connection.watch else { return self.remove(number) }
            do throws(SystemError) { try self.loop.rewatch(watch, for: [.writable]) } catch { self.remove(number) }
        }
    }

    private func remove(_ number: Int) {
        guard let connection = self.connections.removeValue(forKey: number) else { return }
        self.loop.cancel(connection.timer)
        if let watch = connection.watch { self.loop.unwatch(watch) }
        guard self.count == 0 else { return }
        (self.connections, self.buffer) = ([:], [])
        self.whenDone?.resume()
        self.whenDone = nil
    }

    /// Ends a connection whose time is over, unless its peer is still there and reads.
    ///
    /// A close alone would keep unsent data in the kernel for minutes.
    private func expire(_ number: Int) {
        guard let connection = self.connections[number] else { return }
        let now = EventLoop.now
        if now < connection.end, self.isReading(connection, at: now) {
            let end = min(now + Self.closeTimeout, connection.end)
            connection.timer = self.loop.schedule(at: end, self, token: number)
        } else {
            SocketCalls.abort(connection.writer.socket.descriptor)
            self.remove(number)
        }
    }

    /// Whether the peer of a half-closed connection has still bytes to read, or had them when its time was last over.
    ///
    /// A peer that reads slowly acknowledges what the kernel sends; one that has vanished acknowledges nothing.
    private func isReading(_ connection: ClosingConnection, at now: Int64) -> Bool {
        guard let halfClosed = connection.halfClosed else { return false }
        let descriptor = connection.writer.socket.descriptor
        let isBehind =
            SocketCalls.hasUnacknowledged(descriptor)
            && SocketCalls.hasAnswered(descriptor, within: now - halfClosed)
        defer { connection.wasBehind = isBehind }
        return isBehind || connection.wasBehind
    }
}

extension LingeringClose: Watcher, Sleeper {
    /// A socket is ready.
    public nonisolated func ready(_ readiness: Readiness, token: Int) {
        self.assumeIsolated { $0.handle(readiness, number: token) }
    }

    /// The time of a connection is over.
    public nonisolated func wake(token: Int) {
        self.assumeIsolated { $0.expire(token) }
    }
}
