import ToastCore
import ToastHub

/// What a node asks of the owner of a channel; the answer is a ``ChannelReply``.
///
/// Indirect, because several async frames keep the message, to send it again.
indirect enum OwnerMessage: Sendable {
    case request(RequestMessage)
    case attend(AttendMessage)

    var channel: ChannelName {
        switch self {
        case .request(let message): message.channel
        case .attend(let message): message.channel
        }
    }

    /// Whether the message may change the channel, so that it matters whether it was carried out.
    var isChange: Bool {
        guard case .request(let message) = self else { return false }
        switch message.request {
        case .read, .watchEnd, .snapshot, .attend: return false
        default: return true
        }
    }

    /// The message, with its sending time if it is an `attend`.
    func sent(at now: Instant?) -> Self {
        guard case .attend(var message) = self else { return self }
        message.sent = now
        return .attend(message)
    }

    /// The bytes of the message; sealed if it holds secrets.
    func encoded(_ seal: MessageSeal) -> [UInt8] {
        switch self {
        case .request(let message):
            guard case .configure(let change) = message.request, change.webhooks != nil else {
                return message.encoded()
            }
            return seal.seal(message.encoded())
        case .attend(let message):
            return message.encoded()
        }
    }
}

extension ChannelReply {
    /// A later attempt may succeed; the reason is for the log.
    ///
    /// The channel did not carry the request out, unless it `mayBeDone`.
    static func unavailable(_ reason: String, mayBeDone: Bool = false) -> Self {
        .failure(.store(mayBeDone ? .undecided(reason) : .unavailable(reason)))
    }
}
