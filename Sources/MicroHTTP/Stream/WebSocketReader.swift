/// Reads what a WebSocket peer sends: reassembles messages, answers pings, checks every rule of RFC 6455.
///
/// libwslay does the work. Its context is 4.6 KiB, so it lives only while a message is under way: a peer that is
/// silent between messages costs nothing.
public struct WebSocketReader {
    /// What a peer may send.
    public struct Limits: Hashable, Sendable {
        /// The longest message, in bytes; a longer one ends the connection with 1009.
        public var message = 64 * 1024

        /// The most frames that a message may come in; more end the connection with 1008.
        ///
        /// Each costs memory beside its bytes, and it may have none.
        public var fragments = 256

        /// Whether binary messages are taken; else they end the connection with 1003.
        public var takesBinary = false

        /// The usual limits.
        public init() {}
    }

    /// A whole message.
    public struct Message: Hashable, Sendable {
        /// Whether it is text, and so valid UTF-8.
        public let isText: Bool

        /// Its bytes.
        public let bytes: [UInt8]
    }

    /// What came of a read.
    public struct Result: Sendable {
        /// Whole messages, in order.
        public var messages: [Message] = []

        /// What has to be sent back: pongs, and the answer to a close or an error.
        public var output: [UInt8] = []

        /// The conversation is over: send the output, then end the connection.
        public var isOver = false

        /// It is over because the peer broke a rule or a limit.
        public var breaksRules = false
    }

    private var context: WslayHandle?
    private let limits: Limits

    /// A reader right behind the handshake.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Reads what is there.
    public mutating func read(from writer: StreamWriter, using buffer: inout [UInt8]) -> Result {
        var result = Result()
        switch SocketCalls.receive(writer.socket.descriptor, into: &buffer) {
        case .empty:
            return result
        case .ended:
            result.isOver = true
            return result
        case .received(let count):
            self.feed(buffer[..<count], into: &result)
            return result
        }
    }

    /// Takes bytes as they came from the peer.
    mutating func feed(_ bytes: ArraySlice<UInt8>, into result: inout Result) {
        guard let context = self.context ?? WslayHandle(limits: self.limits) else {
            // RFC 6455 §7.4.1: "1011 … it encountered an unexpected condition".
            result.output += Frame.webSocketClose(code: 1011, reason: "out of memory").bytes
            result.isOver = true
            return
        }
        context.feed(bytes, into: &result)
        self.context = context.isBetweenMessages ? nil : context
    }
}
