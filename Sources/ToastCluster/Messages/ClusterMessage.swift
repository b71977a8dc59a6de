import ToastCore
import ToastHub

/// A message between nodes.
enum ClusterMessage: Sendable {
    case request(RequestMessage)
    case reply(ChannelReply)
    case events(Broadcast)
    /// A channel begins anew: it was deleted, or the log has lost its end.
    case restart(ChannelName)
    /// A former owner of a channel has stored a change, perhaps after the new owner had loaded the channel.
    case lateChange(ChannelName)
    case attend(AttendMessage)
    case audience(AudienceMessage)
    case audienceReply(AudienceReply)
    case heartbeat(Heartbeat)
    case piece(MessagePiece)
    case pieceRequest(PieceRequest)
    /// The bytes of several messages, in their order; none is a bundle.
    case bundle([[UInt8]])
    case names(NamesMessage)
    case namesReply(NamesReply)

    /// Reads a message, and opens it if it is sealed; invalid bytes make it throw, never trap.
    ///
    /// Without a seal, sealed messages are refused.
    static func decode(_ bytes: [UInt8], _ seal: MessageSeal? = nil) throws(MessageError) -> Self {
        let parts = try MessageParts(bytes)
        switch parts.kind {
        case .request: return .request(try RequestMessage(parts))
        case .reply: return .reply(try ChannelReply(parts))
        case .events: return .events(try Broadcast(parts))
        case .restart: return .restart(try parts.channel())
        case .lateChange: return .lateChange(try parts.channel())
        case .attend: return .attend(try AttendMessage(parts))
        case .audience: return .audience(try AudienceMessage(parts))
        case .audienceReply: return .audienceReply(try AudienceReply(parts))
        case .heartbeat: return .heartbeat(try Heartbeat(parts))
        case .piece: return .piece(try MessagePiece(parts))
        case .pieceRequest: return .pieceRequest(try PieceRequest(parts))
        case .bundle: return .bundle(parts.runs)
        case .names: return .names(try NamesMessage(parts))
        case .namesReply: return .namesReply(try NamesReply(parts))
        case .sealed:
            guard let seal else { throw .malformed("A sealed message is not expected here.") }
            return try seal.open(parts)
        }
    }
}
