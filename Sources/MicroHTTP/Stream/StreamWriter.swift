/// Writes frames to a detached socket without ever waiting.
///
/// Confined to one loop: its owner is an actor of that loop, and watches the socket for it.
public final class StreamWriter {
    /// The state of a stream after a write.
    public enum Status: Hashable, Sendable {
        /// All frames are sent.
        case clear
        /// Frames wait: watch the socket until it is writable, then call ``resume()``.
        case blocked
        /// Too many frames wait: the consumer is too slow, end the stream.
        case overflowed
        /// The peer is gone, end the stream.
        case gone
    }

    /// A bound on the frames that wait for a peer that reads too slowly.
    public struct Backlog: Hashable, Sendable {
        // 32 bits each, because every stream has them.
        private let mostFrames: UInt32
        private let mostBytes: UInt32

        /// The most frames.
        public var frames: Int { Int(self.mostFrames) }

        /// The most bytes; a single frame may have more.
        public var bytes: Int { Int(self.mostBytes) }

        /// A bound; 256 frames and 1 MiB by default.
        public init(frames: Int = 256, bytes: Int = 1024 * 1024) {
            self.mostFrames = UInt32(clamping: frames)
            self.mostBytes = UInt32(clamping: bytes)
        }
    }

    /// The socket that the frames go to.
    public let socket: Socket

    private var queue: SendQueue
    private var hasMoved = false

    /// A writer for a socket to which nothing else writes.
    public init(socket: Socket, backlog: Backlog = Backlog()) {
        self.queue = SendQueue(limit: backlog)
        self.socket = socket
    }

    /// Writes a frame after all others: at once if none waits, otherwise when there is room.
    public func write(_ frame: Frame) -> Status {
        guard self.queue.isEmpty else { return self.queue.append(frame) ? .blocked : .overflowed }
        return self.note(Self.send(frame, over: self.socket.descriptor), of: frame)
    }

    /// Sends a frame over the socket of a writer for which no frame waits.
    ///
    /// The caller passes the outcome to ``note(_:of:)`` of the writer, unless the whole frame was sent.
    public static func send(_ frame: Frame, over descriptor: CInt) -> SendOutcome {
        SocketCalls.send(descriptor, frame.bytes)
    }

    /// Takes the outcome of ``send(_:over:)``, and queues what was not sent.
    public func note(_ outcome: SendOutcome, of frame: Frame) -> Status {
        switch outcome {
        case .sent(let count) where count == frame.count:
            return .clear
        case .sent(let count):
            return self.queue.append(frame, sent: count) ? .blocked : .overflowed
        case .full:
            return self.queue.append(frame) ? .blocked : .overflowed
        case .gone:
            return .gone
        }
    }

    /// Sends frames that wait; called when the socket is writable.
    public func resume() -> Status {
        while let (frame, start) = self.queue.next {
            switch SocketCalls.send(self.socket.descriptor, frame.bytes, from: start) {
            case .sent(let count):
                self.queue.advance(by: count)
                self.hasMoved = true
            case .full: return .blocked
            case .gone: return .gone
            }
        }
        return .clear
    }

    /// Whether any byte of a waiting frame was sent since the last call.
    public func takeProgress() -> Bool {
        defer { self.hasMoved = false }
        return self.hasMoved
    }

    /// The frames that wait; the first one without the bytes that are sent.
    public var unsent: [Frame] { self.queue.rest }

    /// The rest of a partly sent frame, which has to be sent before any other; empty when there is none.
    public var unfinished: [Frame] { self.queue.isPartial ? Array(self.queue.rest.prefix(1)) : [] }

    /// Reads and drops input; false when the peer closed its half or is gone.
    ///
    /// A consumer of an event stream or a long-poll sends nothing that matters, except its end.
    public func drain(using buffer: inout [UInt8]) -> Bool {
        switch SocketCalls.receive(self.socket.descriptor, into: &buffer) {
        case .received, .empty: true
        case .ended: false
        }
    }
}
