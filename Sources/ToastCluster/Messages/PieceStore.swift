import ToastCore
import ToastHub

/// Long replies of this node, until the nodes that asked have fetched them.
///
/// Bounded in bytes and in time. When there is no room for a reply, the oldest ones are given up: a node that
/// fetches these gets ``failure``, and asks again.
struct PieceStore: Sendable {
    /// The answer to a request for a piece of a reply that was given up.
    static let failure = ChannelReply.failure(.store(.unavailable("The reply was given up.")))

    private struct Reply {
        let number: Int64
        let bytes: [UInt8]
        var fetched: Instant
    }

    /// How long a reply is kept after a piece of it was last fetched.
    private static let patience = Interval(seconds: 10)

    private let node: NodeID
    private let limit: MessageLimit
    private let seal: MessageSeal
    private var replies: [Reply] = []
    private var last: Int64 = 0

    /// The number of bytes of all replies that are kept, ``MessageLimit/longestReply`` at most.
    var count: Int { self.replies.reduce(0) { $0 + $1.bytes.count } }

    init(node: NodeID, limit: MessageLimit, seal: MessageSeal) {
        self.node = node
        self.limit = limit
        self.seal = seal
    }

    /// The message to send as a reply: the whole reply, or its first piece; then the store keeps the reply.
    ///
    /// - Throws: `tooLong` when it cannot be sent in pieces either.
    mutating func reply(_ reply: ChannelReply, at now: Instant) throws(MessageError) -> [UInt8] {
        let bytes = reply.encoded(self.seal)
        guard bytes.count > self.limit.bytes else { return bytes }
        guard bytes.count <= MessageLimit.longestReply else { throw .tooLong(bytes.count) }
        self.expire(at: now)
        while self.count + bytes.count > MessageLimit.longestReply { self.replies.removeFirst() }
        self.last += 1
        self.replies.append(Reply(number: self.last, bytes: bytes, fetched: now))
        return self.answer(PieceRequest(number: self.last, index: 0), at: now)
    }

    mutating func answer(_ request: PieceRequest, at now: Instant) -> [UInt8] {
        let size = self.pieceLength
        guard let place = self.replies.firstIndex(where: { $0.number == request.number }),
            request.index < (self.replies[place].bytes.count + size - 1) / size
        else { return Self.failure.encoded() }
        self.replies[place].fetched = now
        let bytes = self.replies[place].bytes
        return MessagePiece(
            node: self.node,
            number: request.number,
            index: request.index,
            length: bytes.count,
            bytes: Array(bytes.dropFirst(request.index * size).prefix(size))
        ).encoded()
    }

    /// Forgets replies of which no piece was fetched for ``patience``.
    mutating func expire(at now: Instant) {
        self.replies.removeAll { now - $0.fetched > Self.patience }
    }

    /// The bytes in a piece: its head takes less than 256 of a message.
    private var pieceLength: Int { self.limit.bytes - 256 }
}

/// The pieces of one reply, until it is complete.
struct PieceCollector: Sendable {
    /// What to do next.
    enum Step: Sendable {
        case fetch(PieceRequest, from: NodeID)
        case complete(ChannelReply)
    }

    /// The first piece, which says of which reply the others must be.
    private let first: MessagePiece
    private let seal: MessageSeal
    private var next = 0
    private var bytes: [UInt8] = []

    /// A collector for the reply that begins with a piece; ``add(_:)`` that piece first, then the fetched ones.
    init(first piece: MessagePiece, seal: MessageSeal) throws(MessageError) {
        guard piece.length <= MessageLimit.longestReply else { throw .tooLong(piece.length) }
        self.first = piece
        self.seal = seal
    }

    /// Adds the next piece.
    ///
    /// - Throws: `malformed` when it is not the next one, or the reply is invalid.
    mutating func add(_ piece: MessagePiece) throws(MessageError) -> Step {
        let length = self.first.length
        guard piece.node == self.first.node, piece.number == self.first.number, piece.length == length,
            piece.index == self.next, !piece.bytes.isEmpty, self.bytes.count + piece.bytes.count <= length
        else { throw .malformed("Another piece is expected.") }
        self.bytes += piece.bytes
        self.next += 1
        guard self.bytes.count == length else {
            return .fetch(PieceRequest(number: piece.number, index: self.next), from: piece.node)
        }
        guard case .reply(let reply) = try ClusterMessage.decode(self.bytes, self.seal) else {
            throw .malformed("A reply is expected.")
        }
        return .complete(reply)
    }
}
