/// Reads what a WebSocket peer sends: reassembles messages, answers pings, checks every rule of RFC 6455.
///
/// It uses libwslay, whose context takes 4.6 KiB. The context exists only while a message is incomplete, so a peer that
/// is silent between messages takes no memory.
public struct WebSocketReader {
    /// What a peer may send.
    public struct Limits: Hashable, Sendable {
        /// The longest message, in bytes; a longer one ends the connection with 1009.
        public var message = 64 * 1024

        /// The most frames that a message may come in; more end the connection with 1008.
        ///
        /// Each takes memory in addition to its bytes, and it may be empty.
        public var fragments = 256

        /// Whether binary messages are accepted; otherwise they end the connection with 1003.
        public var takesBinary = false

        /// The default limits.
        public init() {}
    }

    /// A complete message.
    public struct Message: Hashable, Sendable {
        /// Whether it is text, and so valid UTF-8.
        public let isText: Bool

        /// Its bytes.
        public let bytes: [UInt8]
    }

    /// The result of a read.
    public struct Result: Sendable {
        /// Complete messages, in order.
        public var messages: [Message] = []

        /// Frames to send: pongs, and the close that answers a close or an error.
        public var output: [UInt8] = []

        /// Whether the connection is over: send the output, then end it.
        public var isOver = false

        /// Whether it is over because the peer broke a rule or a limit.
        public var breaksRules = false
    }

    private var context: WslayHandle?
    private let limits: Limits

    /// A reader for a connection right after the handshake.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Reads the input that is there.
    public mutating func read(from writer: StreamWriter, using buffer: inout [UInt8]) -> Result {
        switch SocketCalls.receive(writer.socket.descriptor, into: &buffer) {
        case .empty: return Result()
        case .ended: return Result(isOver: true)
        case .received(let count): return self.feed(buffer[..<count])
        }
    }

    /// Takes bytes of the peer.
    mutating func feed(_ bytes: ArraySlice<UInt8>) -> Result {
        guard let context = self.context ?? WslayHandle(limits: self.limits) else {
            // RFC 6455 §7.4.1: "1011 … it encountered an unexpected condition".
            return Result(output: Frame.webSocketClose(code: 1011, reason: "out of memory").bytes, isOver: true)
        }
        let result = context.feed(bytes)
        self.context = context.isBetweenMessages ? nil : context
        return result
    }
}
