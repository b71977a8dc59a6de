/// Reads what a WebSocket peer sends: reassembles messages, answers pings, checks every rule of RFC 6455.
///
/// libwslay does the work. Its context is 4.6 KiB, so it lives only while a message is under way: a peer that is
/// silent between messages costs nothing.
public struct WebSocketReader {
    /// What came of a read.
    public struct Result: Sendable {
        /// Whole text messages, in order.
        public var texts: [[UInt8]] = []

        /// What has to be sent back: pongs, and the answer to a close or an error.
        public var output: [UInt8] = []

        /// The conversation is over: send the output, then end the connection.
        public var isOver = false
    }

    /// The longest message, in bytes; a longer one ends the connection with 1009.
    public static let messageLimit = 64 * 1024

    private var context: WslayHandle?

    /// A reader right behind the handshake.
    public init() {}

    /// Reads what is there; binary messages end the connection with 1003, because this server has no use for them.
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
        guard let context = self.context ?? WslayHandle(messageLimit: Self.messageLimit) else {
            result.isOver = true
            return
        }
        context.feed(bytes, into: &result)
        self.context = context.isBetweenMessages ? nil : context
    }
}
