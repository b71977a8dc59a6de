/// A message of NATS, in memory of its own.
public struct NATSMessage: Equatable, Sendable {
    /// Where it is published.
    public var subject: String
    /// Where an answer is expected; nil when none is.
    public var reply: String?
    /// The header fields.
    public var headers: NATSHeaders
    /// The body.
    public var body: [UInt8]

    /// A message with these parts.
    public init(subject: String, reply: String? = nil, headers: NATSHeaders = [:], body: [UInt8] = []) {
        self.subject = subject
        self.reply = reply
        self.headers = headers
        self.body = body
    }

    /// The status that a server sends in place of a message, such as 404; nil for a real message.
    public var status: Int? { self.headers["Status"].flatMap { Int($0) } }

    /// About how many bytes it takes on the wire.
    var size: Int {
        self.headers.fields.reduce(self.subject.utf8.count + (self.reply?.utf8.count ?? 0) + self.body.count + 32) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 4
        }
    }

    /// Throws if the message would be more than one command on the wire, or longer than the maximum.
    func validate(maximum: Int) throws(NATSError) {
        try Self.validate(subject: self.subject)
        if let reply { try Self.validate(subject: reply) }
        for field in self.headers.fields {
            // The library writes fields as they are.
            guard !field.name.isEmpty, field.name.utf8Span.span.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }),
                field.value.utf8Span.span.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { throw .invalid("the header field \(field.name)") }
        }
        if self.size > maximum { throw .tooLarge(limit: maximum) }
    }

    /// Throws if a subject is empty, or holds a blank or a control character.
    static func validate(subject: String) throws(NATSError) {
        guard !subject.isEmpty, subject.utf8Span.span.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw .invalid("the subject \"\(subject)\"")
        }
    }
}

/// The header fields of a message, in no particular order; names are compared exactly, as NATS does.
public struct NATSHeaders: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    /// A name and its value.
    public struct Field: Equatable, Sendable {
        /// The name, a token.
        public let name: String
        /// The value, one line.
        public let value: String
    }

    /// All fields.
    public private(set) var fields: [Field]

    /// Fields with different names.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of a field; nil when it is not there.
    public subscript(name: String) -> String? { self.fields.first { $0.name == name }?.value }

    /// Removes fields.
    mutating func remove(_ names: [String]) { self.fields.removeAll { names.contains($0.name) } }

    /// Adds a field that is known not to be there.
    mutating func append(_ name: String, _ value: String) {
        self.fields.append(Field(name: name, value: value))
    }
}

extension Span<UInt8> {
    /// Whether all bytes are of a kind.
    ///
    /// A span is read about three times as fast as `String.utf8`.
    @inline(__always)
    fileprivate func allSatisfy(_ isOfKind: (UInt8) -> Bool) -> Bool {
        for index in self.indices where !isOfKind(self[index]) { return false }
        return true
    }
}
