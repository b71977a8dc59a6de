/// Why a call to NATS failed.
///
/// What matters to a caller is whether a request can have been carried out: after ``timeout``, ``connectionLost`` and
/// ``malformedAnswer(_:)`` it can; after every other error it was not.
public enum NATSError: Error, Equatable, Sendable {
    /// No server of the list let the client in: unreachable, TLS failed, or credentials were refused. Call a person.
    case cannotConnect(String)

    /// The server is older than what this program needs, or did not tell its version. Call a person.
    case unsupportedServer(String)

    /// There is no connection now, or the one that the request was meant for is lost; nothing was sent. Try again once
    /// there is a connection.
    case notConnected

    /// The connection was lost, or closed, before the answer came: the request may have been carried out.
    case connectionLost

    /// No answer came in time: the request may have been carried out.
    case timeout

    /// The subject has no subscriber, so nothing was carried out.
    case noResponders

    /// The server carried out nothing, and says why.
    case refused(JetStreamRefusal)

    /// A message is larger than the server accepts, or a request larger than all that may wait; nothing was sent.
    case tooLarge(limit: Int)

    /// Too much is waiting for the server already, so nothing was sent. Try again later.
    case overloaded

    /// The connection was closed by this program, or given up by the library; nothing was sent.
    case closed

    /// A subject, a header field or an option is not valid; nothing was sent. Fix the input.
    case invalid(String)

    /// The answer is not one that the protocol allows: the request may have been carried out.
    case malformedAnswer(String)

    /// Whether the request may have been carried out in spite of the error.
    public var mayHaveHappened: Bool {
        switch self {
        case .timeout, .connectionLost, .malformedAnswer: true
        default: false
        }
    }
}

/// JetStream's answer to a request that it did not carry out.
public struct JetStreamRefusal: Equatable, Sendable {
    /// The class of the error, like an HTTP status.
    public let code: Int
    /// Which error it is; 0 when the server names none.
    public let errorCode: Int
    /// The error in words.
    public let description: String

    /// The expected last sequence was not the last one.
    public static let wrongLastSequence = 10071
    /// There is no such message.
    public static let noMessage = 10037
    /// There is no such stream.
    public static let noStream = 10059
    /// A stream of this name has another configuration.
    public static let streamNameInUse = 10058
}

extension NATSError: CustomStringConvertible {
    /// The error in a sentence for logs.
    public var description: String {
        switch self {
        case .cannotConnect(let reason): "Cannot connect to NATS: \(reason)"
        case .unsupportedServer(let reason): reason
        case .notConnected: "There is no connection to NATS; nothing was sent."
        case .connectionLost: "The connection to NATS was lost; the request may have been carried out."
        case .timeout: "NATS did not answer in time; the request may have been carried out."
        case .noResponders: "The subject has no subscriber."
        case .refused(let refusal):
            "JetStream refused: \(refusal.description) (\(refusal.code), error code \(refusal.errorCode))"
        case .tooLarge(let limit): "Larger than the limit of \(limit) bytes; nothing was sent."
        case .overloaded: "Too many requests wait for NATS; nothing was sent."
        case .closed: "The connection to NATS was closed."
        case .invalid(let reason): "Not valid: \(reason)"
        case .malformedAnswer(let reason): "NATS sent an answer that its protocol does not allow: \(reason)"
        }
    }
}
