public import InternetAddresses

/// An answer: status, header fields and body.
public struct Response: Hashable, Sendable {
    /// A header field.
    public struct Field: Hashable, Sendable {
        /// The name as it is sent.
        public let name: String

        /// The value; never holds CR or LF.
        public let value: String

        /// A field; line breaks and tabs in the value become spaces, so that nothing can add a field of its own.
        public init(name: String, value: String) {
            self.name = name
            let isBlank = { (character: Character) in character.isNewline || character == "\0" || character == "\t" }
            self.value = value.endsField ? String(value.map { isBlank($0) ? " " : $0 }) : value
        }
    }

    /// The status code.
    public var status: Int

    /// The header fields in their order.
    ///
    /// `Date`, `Content-Length` and `Connection` are the server's.
    public private(set) var headers: [Field] = []

    /// The body.
    public var body: [UInt8]

    /// Whether the connection ends with this answer.
    public var closesConnection = false

    /// What the body takes of a budget until it has gone out; nil when it takes nothing.
    public var charge: MemoryCharge?

    /// An answer.
    public init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }

    /// Adds a header field, if it has a value.
    ///
    /// Line breaks in the value become spaces, so that nothing can add a field of its own.
    public mutating func addHeader(_ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        self.makeRoom()
        self.headers.append(Field(name: name, value: value))
    }

    /// Adds header fields that were made before.
    public mutating func addHeaders(_ fields: [Field]) {
        self.makeRoom()
        for field in fields { self.headers.append(field) }
    }

    /// Most answers have seven to ten fields: room for all of them at once.
    private mutating func makeRoom() {
        if self.headers.isEmpty { self.headers.reserveCapacity(12) }
    }

    /// The same answer with one more header field.
    public consuming func adding(_ name: String, _ value: String) -> Self {
        self.addHeader(name, value)
        return self
    }
}

extension Response {
    /// The whole message as it goes over the wire.
    ///
    /// - Parameters:
    ///   - hasBody: Whether the body is sent too; it is not in the answer to `HEAD`.
    ///   - isLast: Whether the connection ends behind it; else it is one of HTTP/1.1.
    /// - Returns: The head and the body.
    public func serialized(hasBody: Bool = true, isLast: Bool = true) -> [UInt8] {
        var bytes: [UInt8] = []
        let fields = self.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        bytes.reserveCapacity(128 + fields + self.body.count)
        bytes += "HTTP/1.1 \(self.status) ".utf8
        bytes += self.reason.utf8
        bytes += "\r\nDate: ".utf8
        bytes += HTTPDate.now.utf8
        for field in self.headers {
            bytes += "\r\n".utf8
            bytes += field.name.utf8
            bytes += ": ".utf8
            bytes += field.value.utf8
        }
        bytes += "\r\nContent-Length: \(self.body.count)\r\n".utf8
        bytes += (isLast ? "Connection: close\r\n\r\n" : "\r\n").utf8
        if hasBody { bytes += self.body }
        return bytes
    }

    private var reason: String {
        switch self.status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 400: "Bad Request"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}

/// What a handler answers with.
public enum Reply: Sendable {
    /// A response; the connection stays with the server.
    case response(Response)

    /// The handler takes the connection: the server lets go of it and hands over the socket, on the loop's thread.
    ///
    /// Who answers once may give the socket back behind the answer. When there is no descriptor to spare, the answer is the
    /// other one, which is made only then.
    case detach(
        @Sendable (Socket) -> Void,
        answersOnce: Bool = false,
        otherwise: @Sendable () -> Response = { Response(status: 503) }
    )
}

/// Answers requests.
///
/// Runs on the connection's loop; what it awaits may be elsewhere.
public typealias Handler = @Sendable (Request) async -> Reply

/// What is known of a request that broke the rules.
public struct RefusedRequest: Sendable {
    /// The rule that it broke.
    public let error: HTTPError

    /// The method as it was sent, whether it is one or not.
    public let method: String

    /// The target as it was sent.
    public let target: [UInt8]

    /// The header fields; they may be what is wrong.
    public let headers: HeaderFields

    /// Where the connection comes from; nil when that is not known.
    public let peer: IPAddress?
}

/// Why the server answers by itself, without a handler.
public enum HTTPError: Error, Hashable, Sendable {
    /// The request breaks HTTP; the text says which rule. The connection is closed.
    case malformed(String)

    /// The transfer coding is another one than `chunked`. The connection is closed.
    case unknownTransferCoding

    /// The path has more bytes or more segments than one may have (``Target``). The connection is closed.
    case pathTooLong

    /// The head is longer than the limit, in bytes. The connection is closed.
    case headTooLong(limit: Int)

    /// The head has more fields than the limit. The connection is closed.
    case tooManyFields(limit: Int)

    /// The body is longer than the limit, in bytes. The connection is closed.
    case bodyTooLong(limit: Int)

    /// The source has as many connections as one may have. The connection is closed before its request is read.
    case tooManyConnections

    /// No resource is there.
    case notFound

    /// The resource does not know the method, but knows these.
    case methodNotAllowed([Method])

    /// The server is stopping.
    case stopping
}
