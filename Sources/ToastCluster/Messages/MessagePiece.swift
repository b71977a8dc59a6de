import ToastCore

/// A piece of a reply that is longer than a message of the bus.
///
/// It comes in place of the reply. The node that asked fetches the next ones by a ``PieceRequest`` each, so that no
/// node gets more bytes than it has asked for.
package struct MessagePiece: Hashable, Sendable {
    /// The node that has the other pieces.
    package let node: NodeID

    /// The number of the reply at that node.
    package let number: Int64

    /// The piece's index.
    package let index: Int

    /// The number of all bytes of the reply.
    package let length: Int

    /// The bytes of the piece.
    package let bytes: [UInt8]

    package init(node: NodeID, number: Int64, index: Int, length: Int, bytes: [UInt8]) {
        self.node = node
        self.number = number
        self.index = index
        self.length = length
        self.bytes = bytes
    }

    /// The bytes of the message.
    package func encoded() -> [UInt8] {
        Frame.bytes(.piece, runs: [self.bytes]) { writer in
            writer.member("node", self.node.rawValue)
            writer.member("number", self.number)
            writer.member("index", self.index)
            writer.member("length", self.length)
        }
    }

    init(_ frame: Frame) throws(MessageError) {
        self.node = try frame.head.read("node", NodeID.init(rawValue:))
        self.number = try frame.head.integer("number")
        self.index = try frame.head.count("index")
        self.length = try frame.head.count("length")
        self.bytes = try frame.onlyRun()
    }
}

/// A request for a piece of a reply, to the node that has it; the answer is a ``MessagePiece``.
///
/// A node that no longer has the reply answers with `failure`: see ``PieceStore/failure``.
package struct PieceRequest: Hashable, Sendable {
    /// The number of the reply.
    package let number: Int64

    /// The index of the piece.
    package let index: Int

    package init(number: Int64, index: Int) {
        self.number = number
        self.index = index
    }

    /// The bytes of the message.
    package func encoded() -> [UInt8] {
        Frame.bytes(.pieceRequest) { writer in
            writer.member("number", self.number)
            writer.member("index", self.index)
        }
    }

    init(_ frame: Frame) throws(MessageError) {
        self.number = try frame.head.integer("number")
        self.index = try frame.head.count("index")
    }
}
