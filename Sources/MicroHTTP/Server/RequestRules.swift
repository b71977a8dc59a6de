/// What the library lets through and we do not: each rule stands over its check.
///
/// The checks run in the first call of the handler, before any of the body is read. A request that breaks one is
/// answered once, and its connection ends there, with whatever a smuggler put behind the request.
enum RequestRules {
    /// Fields of which a second one would leave two readers of the message with two opinions.
    private static let singular = ["authorization", "content-type", "last-event-id", "origin", "sec-websocket-version"]

    /// The rule that a request head breaks; nil when it may pass.
    static func violation(method: String, version: String, headers: HeaderFields) -> HTTPError? {
        // RFC 9112 §2.3: a server answers the versions it implements.
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return .malformed("unsupported HTTP version") }
        // RFC 9110 §5.1 and §5.5: names are tokens, values hold no control that ends a line.
        guard headers.isWellFormed else { return .malformed("malformed header field") }
        // RFC 9112 §3.2: exactly one Host, but for HTTP/1.0, which may have none; 400 for an invalid one.
        let hosts = headers.count(of: "host")
        guard hosts == 1 || (hosts == 0 && version == "HTTP/1.0") else {
            return .malformed("exactly one Host is required")
        }
        guard headers.raw("host")?.allSatisfy(\.isAuthorityCharacter) ?? true else {
            return .malformed("malformed Host")
        }
        if let error = self.violation(ofLength: headers, version) { return error }
        // RFC 9110 §5.3: only fields that are lists may come more than once.
        guard Self.singular.allSatisfy({ headers.count(of: $0) <= 1 }) else {
            return .malformed("a field came twice that may come once")
        }
        // RFC 9110 §9.1: a method is a token; whether it is known is for the resource to say.
        guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenCharacter) else { return .malformed("malformed method") }
        return nil
    }

    private static func violation(ofLength headers: HeaderFields, _ version: String) -> HTTPError? {
        let lengths = headers.count(of: "content-length")
        let codings = headers.count(of: "transfer-encoding")
        // RFC 9112 §6.3: a message with both, or with several lengths, has been tampered with.
        guard lengths <= 1, codings <= 1, lengths + codings <= 1 else {
            return .malformed("ambiguous message length")
        }
        guard codings == 1 else { return nil }
        // RFC 9112 §6.1: "A server or client that receives an HTTP/1.0 message containing a Transfer-Encoding header
        // field MUST treat the message as if the framing is faulty."
        guard version == "HTTP/1.1" else { return .malformed("HTTP/1.0 has no transfer codings") }
        // §6.1: a coding that is not understood is answered with 501. The library compares the value as it came, so
        // a blank behind it would have it read the body as something else.
        let coding = headers.raw("transfer-encoding")?.map(\.asciiLowercased)
        return coding == Array("chunked".utf8) ? nil : .unknownTransferCoding
    }
}

extension UInt8 {
    /// What may stand in `uri-host [ ":" port ]` (RFC 3986 §3.2.2 and §3.2.3).
    fileprivate var isAuthorityCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ";"), UInt8(ascii: "="),
            UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default:
            false
        }
    }
}
