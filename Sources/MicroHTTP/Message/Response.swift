import CMicroHTTPD

/// A response: status, header fields and body.
public struct Response: Sendable {
    /// A header field.
    public struct Field: Hashable, Sendable {
        /// The name as it is sent.
        public let name: String

        /// The value; never holds CR or LF.
        public let value: String

        /// A field; line breaks, tabs and NUL in the value become spaces, so that no value can add another field.
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

    /// Whether the connection ends with this response.
    public var closesConnection = false

    /// What the body takes of a budget until it is sent; nil when it takes nothing.
    public var charge: MemoryCharge?

    /// A response.
    public init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }

    /// Adds a header field, if it has a value.
    ///
    /// Line breaks, tabs and NUL in the value become spaces, so that no value can add another field.
    public mutating func addHeader(_ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        self.makeRoom()
        self.headers.append(Field(name: name, value: value))
    }

    /// Adds header fields, whose values were checked when they were made.
    public mutating func addHeaders(_ fields: [Field]) {
        self.makeRoom()
        for field in fields { self.headers.append(field) }
    }

    /// Most responses have seven to ten fields: one allocation for all of them.
    private mutating func makeRoom() {
        if self.headers.isEmpty { self.headers.reserveCapacity(12) }
    }

    /// The same response with one more header field.
    public consuming func adding(_ name: String, _ value: String) -> Self {
        self.addHeader(name, value)
        return self
    }
}

extension Response {
    /// The whole message as it goes over the wire.
    ///
    /// - Parameters:
    ///   - hasBody: Whether the body is included; it is not in a response to `HEAD`.
    ///   - closesConnection: Whether the connection ends after it; otherwise it persists, as is usual in HTTP/1.1.
    /// - Returns: The head and the body.
    public func serialized(hasBody: Bool = true, closesConnection: Bool = true) -> [UInt8] {
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
        bytes += "\r\n".utf8
        if self.hasLength { bytes += "Content-Length: \(self.body.count)\r\n".utf8 }
        bytes += (closesConnection ? "Connection: close\r\n\r\n" : "\r\n").utf8
        if hasBody { bytes += self.body }
        return bytes
    }

    /// Whether it has a `Content-Length` (RFC 9110 §8.6): not a 204 or 304, though the library adds one of 0 to a 304.
    private var hasLength: Bool { self.status != 204 && self.status != 304 }

    private var reason: String { unsafe String(cString: MHD_get_reason_phrase_for(CUnsignedInt(self.status))) }
}
