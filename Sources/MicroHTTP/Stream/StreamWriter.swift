/// Writes frames to a detached socket without ever waiting.
///
/// Confined to one loop: whoever holds it is an actor of that loop, and watches the socket for it.
public final class StreamWriter {
    /// How a stream stands after a write.
    public enum Status: Hashable, Sendable {
        /// All is out.
        case clear
        /// Something waits: watch the socket for room, then call ``resume()``.
        case blocked
        /// More waits than may: the consumer is too slow, end the stream.
        case overflowed
        /// The peer is gone, end the stream.
        case gone
    }

    /// What may wait for a peer that reads too slowly.
    public struct Backlog: Hashable, Sendable {
        // Each stream keeps them, so they are small.
        private let mostFrames: UInt32
        private let mostBytes: UInt32

        /// The most frames.
        public var frames: Int { Int(self.mostFrames) }

        /// The most bytes; a single frame may have more.
        public var bytes: Int { Int(self.mostBytes) }

        /// A bound, of 256 frames and 1 MiB unless it is another one.
        public init(frames: Int = 256, bytes: Int = 1024 * 1024) {
            self.mostFrames = UInt32(clamping: frames)
            self.mostBytes = UInt32(clamping: bytes)
        }
    }

    /// The socket that the frames go to.
    public let socket: Socket

    private var outbox: Outbox
    private var hasMoved = false

    /// A writer for a socket that belongs to it alone.
    public init(socket: Socket, backlog: Backlog = Backlog()) {
        self.outbox = Outbox(limit: backlog)
        self.socket = socket
    }

    /// Writes a frame behind all others: at once if nothing waits, else when there is room.
    public func write(_ frame: Frame) -> Status {
        guard self.outbox.isEmpty else { return self.outbox.append(frame) ? .blocked : .overflowed }
        return self.note(Self.send(frame, over: self.socket.descriptor), of: frame)
    }

    /// Sends a frame over the socket of a writer for which nothing waits; the writer has to be told what became of it
    /// by ``note(_:of:)``, unless all of it went out.
    public static func send(_ frame: Frame, over descriptor: CInt) -> SendOutcome {
        SocketCalls.send(descriptor, frame.bytes)
    }

    /// Takes what is left of a frame that was sent by ``send(_:over:)``.
    public func note(_ outcome: SendOutcome, of frame: Frame) -> Status {
        switch outcome {
        case .sent(let count) where count == frame.count:
            return .clear
        case .sent(let count):
            return self.outbox.append(frame, sent: count) ? .blocked : .overflowed
        case .full:
            return self.outbox.append(frame) ? .blocked : .overflowed
        case .gone:
            return .gone
        }
    }

    /// Goes on with what waits; called when the socket has room.
    public func resume() -> Status {
        while let (frame, start) = self.outbox.next {
            switch SocketCalls.send(self.socket.descriptor, frame.bytes, from: start) {
            case .sent(let count):
                self.outbox.advance(by: count)
                self.hasMoved = true
            case .full: return .blocked
            case .gone: return .gone
            }
        }
        return .clear
    }

    /// Whether anything of what waited has gone out since the last question.
    public func takeProgress() -> Bool {
        defer { self.hasMoved = false }
        return self.hasMoved
    }

    /// What waits, the first frame without what went out of it already.
    public var unsent: [Frame] { self.outbox.rest }

    /// The rest of the frame that is half out, which has to follow before anything else may.
    public var unfinished: [Frame] { self.outbox.isPartial ? Array(self.outbox.rest.prefix(1)) : [] }

    /// Reads and drops what the peer sent; false when the peer closed its half or is gone.
    ///
    /// A consumer of an event stream or a long-poll has nothing to say, so its bytes only matter by their end.
    public func drain(using buffer: inout [UInt8]) -> Bool {
        switch SocketCalls.receive(self.socket.descriptor, into: &buffer) {
        case .received, .empty: true
        case .ended: false
        }
    }
}
