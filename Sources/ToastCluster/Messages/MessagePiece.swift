import ToastCore

/// A piece of a reply that is longer than a message of the bus.
///
/// It comes in place of the reply. The node that asked fetches the next ones by a ``PieceRequest`` each, so that no
/// node gets more bytes than it has asked for.
struct MessagePiece: Hashable, Sendable {
    /// The node that has the other pieces.
    let node: NodeID

    /// The number of the reply at that node.
    let number: Int64

    /// The piece's index, from 0.
    let index: Int

    /// The number of all bytes of the reply.
    let length: Int

    let bytes: [UInt8]

    func encoded() -> [UInt8] {
        MessageParts.bytes(.piece, runs: [self.bytes]) { writer in
            writer.member("node", self.node.rawValue)
            writer.member("number", self.number)
            writer.member("index", self.index)
            writer.member("length", self.length)
        }
    }
}

extension MessagePiece {
    init(_ parts: MessageParts) throws(MessageError) {
        self.node = try parts.head.read("node", NodeID.init(rawValue:))
        self.number = try parts.head.integer("number")
        self.index = try parts.head.count("index")
        self.length = try parts.head.count("length")
        self.bytes = try parts.onlyRun()
    }
}

/// A request for a piece of a reply, to the node that has it; the answer is a ``MessagePiece``.
///
/// A node that no longer has the reply answers with `failure`: see ``PieceStore/failure``.
struct PieceRequest: Hashable, Sendable {
    let number: Int64
    let index: Int

    func encoded() -> [UInt8] {
        MessageParts.bytes(.pieceRequest) { writer in
            writer.member("number", self.number)
            writer.member("index", self.index)
        }
    }
}

extension PieceRequest {
    init(_ parts: MessageParts) throws(MessageError) {
        self.number = try parts.head.integer("number")
        self.index = try parts.head.count("index")
    }
}
