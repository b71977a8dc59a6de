/// Anything that nodes say to each other.
package enum ClusterMessage: Sendable {
    case request(RequestMessage)
    case reply(ChannelReply)
    case events(EventsMessage)
    case restart(RestartMessage)
    case attend(AttendMessage)
    case audience(AudienceMessage)
    case audienceReply(AudienceReply)
    case heartbeat(Heartbeat)
    case piece(MessagePiece)
    case pieceRequest(PieceRequest)
    case bundle(MessageBundle)
    case names(NamesMessage)
    case namesReply(NamesReply)

    /// Reads a message, and opens it if it is sealed; whatever the bytes are, it returns or throws.
    ///
    /// - Parameters:
    ///   - bytes: The message.
    ///   - seal: What opens sealed messages; without one they are refused.
    /// - Returns: The message.
    /// - Throws: Why the bytes are no message.
    package static func decode(_ bytes: [UInt8], _ seal: MessageSeal? = nil) throws(MessageError) -> Self {
        let frame = try Frame(bytes)
        switch frame.kind {
        case .request: return .request(try RequestMessage(frame))
        case .reply: return .reply(try ChannelReply(frame))
        case .events: return .events(try EventsMessage(frame))
        case .restart: return .restart(try RestartMessage(frame))
        case .attend: return .attend(try AttendMessage(frame))
        case .audience: return .audience(try AudienceMessage(frame))
        case .audienceReply: return .audienceReply(try AudienceReply(frame))
        case .heartbeat: return .heartbeat(try Heartbeat(frame))
        case .piece: return .piece(try MessagePiece(frame))
        case .pieceRequest: return .pieceRequest(try PieceRequest(frame))
        case .bundle: return .bundle(MessageBundle(frame))
        case .names: return .names(try NamesMessage(frame))
        case .namesReply: return .namesReply(try NamesReply(frame))
        case .sealed:
            guard let seal else { throw .malformed("A sealed message is not expected here.") }
            return try seal.open(frame)
        }
    }

    /// The bytes of the message.
    package func encoded() -> [UInt8] {
        switch self {
        case .request(let message): message.encoded()
        case .reply(let message): message.encoded()
        case .events(let message): message.encoded()
        case .restart(let message): message.encoded()
        case .attend(let message): message.encoded()
        case .audience(let message): message.encoded()
        case .audienceReply(let message): message.encoded()
        case .heartbeat(let message): message.encoded()
        case .piece(let message): message.encoded()
        case .pieceRequest(let message): message.encoded()
        case .bundle(let message): message.encoded()
        case .names(let message): message.encoded()
        case .namesReply(let message): message.encoded()
        }
    }
}
