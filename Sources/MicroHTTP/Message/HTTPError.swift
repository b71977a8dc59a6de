public import InternetAddresses

/// Why the server answers by itself, without a handler.
public enum HTTPError: Error, Hashable, Sendable {
    /// The request breaks HTTP; the text says which rule. The connection is closed.
    case malformed(String)

    /// The transfer coding is another one than `chunked`. The connection is closed.
    case unknownTransferCoding

    /// The path has more bytes or more segments than allowed (``Target``). The connection is closed.
    case pathTooLong

    /// The head is longer than the limit, in bytes. The connection is closed.
    case headTooLong(limit: Int)

    /// The head has more fields than the limit. The connection is closed.
    case tooManyFields(limit: Int)

    /// The body is longer than the limit, in bytes. The connection is closed.
    case bodyTooLong(limit: Int)

    /// The source has as many connections as allowed. The connection is closed before its request is read.
    case tooManyConnections

    /// There is no resource.
    case notFound

    /// The resource has only these methods.
    case methodNotAllowed([Method])

    /// The server is stopping.
    case stopping
}

/// What is known of a request that never reached a handler.
public struct RefusedRequest: Sendable {
    /// The reason.
    public let error: HTTPError

    /// The method as it was sent, valid or not.
    public let method: String

    /// The target as it was sent.
    public let target: [UInt8]

    /// The header fields, which may be malformed.
    public let headers: HeaderFields

    /// The client's address; nil when it is not known.
    public let peer: IPAddress?
}
