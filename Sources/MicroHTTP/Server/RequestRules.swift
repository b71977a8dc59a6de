/// What the library lets through and we do not: each rule stands over its check.
///
/// The checks run in the first call of the handler, before any of the body is read. Answering there with
/// `Connection: close` also discards whatever a smuggler put behind the request.
enum RequestRules {
    /// The rule that a request head breaks; nil when it may pass.
    static func violation(method: String, version: String, headers: HeaderFields) -> HTTPError? {
        // RFC 9112 §2.3: a server answers the versions it implements.
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return .malformed("unsupported HTTP version") }
        // RFC 9110 §5.1 and §5.5: names are tokens, values hold no control that ends a line.
        guard headers.isWellFormed else { return .malformed("malformed header field") }
        // RFC 9112 §3.2: exactly one Host, but for HTTP/1.0, which may have none.
        let hosts = headers.count(of: "host")
        guard hosts == 1 || (hosts == 0 && version == "HTTP/1.0") else {
            return .malformed("exactly one Host is required")
        }
        let lengths = headers.count(of: "content-length")
        let codings = headers.count(of: "transfer-encoding")
        // RFC 9112 §6.3: a message with both, or with several lengths, has been tampered with.
        guard lengths <= 1, codings <= 1, lengths + codings <= 1 else {
            return .malformed("ambiguous message length")
        }
        // RFC 9112 §6.1: a coding that is not understood is answered with 501.
        if codings == 1, headers["transfer-encoding"]?.lowercased() != "chunked" { return .unknownTransferCoding }
        // RFC 9110 §9.1: a method is a token; whether it is known is for the resource to say.
        guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenCharacter) else { return .malformed("malformed method") }
        return nil
    }
}
