import InternetAddresses

/// Rules that libmicrohttpd does not check; each is quoted above its check.
///
/// The checks run in the first callback for a request, before any of the body is read. A request that breaks one gets a
/// response, and its connection ends there, together with a request that is smuggled after it.
enum RequestRules {
    /// Fields that may occur once: if there were two, a proxy and this server could use different ones.
    private static let singular = ["authorization", "content-type", "last-event-id", "origin", "sec-websocket-version"]

    /// The rule that a request's head breaks; nil when it breaks none.
    static func violation(method: String, version: String, headers: HeaderFields) -> HTTPError? {
        // RFC 9112 §2.3: a server answers the versions it implements.
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return .malformed("unsupported HTTP version") }
        // RFC 9110 §5.1 and §5.5: names are tokens, values hold no control that ends a line.
        guard headers.isWellFormed else { return .malformed("malformed header field") }
        guard !headers.haveTooManyMarks else { return .malformed("too many combining marks in a header field") }
        // RFC 9112 §3.2: exactly one Host, except in HTTP/1.0, which may have none; 400 for an invalid one.
        let hosts = headers.count(of: "host")
        guard hosts == 1 || (hosts == 0 && version == "HTTP/1.0") else {
            return .malformed("exactly one Host is required")
        }
        guard headers.raw("host").map(self.isAuthority) ?? true else { return .malformed("malformed Host") }
        if let error = self.violation(ofLength: headers, version) { return error }
        // RFC 9110 §5.3: only fields that are lists may occur more than once.
        guard Self.singular.allSatisfy({ headers.count(of: $0) <= 1 }) else {
            return .malformed("a field came twice that may come once")
        }
        // RFC 9110 §9.1: a method is a token; the resource decides whether it is known.
        guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenCharacter) else { return .malformed("malformed method") }
        return nil
    }

    /// Whether a text is `uri-host [ ":" port ]` (RFC 9110 §7.2); the host may be empty, and so may the port.
    private static func isAuthority(_ text: ArraySlice<UInt8>) -> Bool {
        let end: ArraySlice<UInt8>.Index
        if text.first == UInt8(ascii: "[") {
            guard let bracket = text.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let inner = text[..<bracket].dropFirst()
            let address = inner.prefix { $0 != UInt8(ascii: "%") }
            // RFC 6874: `%25` and a zone may follow; some clients send the percent sign as it is.
            guard address.contains(UInt8(ascii: ":")), IPAddress(String(decoding: address, as: UTF8.self)) != nil,
                inner.dropFirst(address.count).allSatisfy(\.isNameCharacter)
            else { return false }
            end = bracket + 1
        } else {
            end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
            guard self.isRegisteredName(text[..<end]) else { return false }
        }
        let port = text[end...]
        return port.isEmpty || port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy(\.isDigit)
    }

    /// Whether a text is a `reg-name` (RFC 3986 §3.2.2), which an IPv4 address is, too.
    private static func isRegisteredName(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.allSatisfy(\.isNameCharacter) else { return false }
        let percent = UInt8(ascii: "%")
        guard text.contains(percent) else { return true }
        return text.split(separator: percent, omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
            part.count >= 2 && part.prefix(2).allSatisfy { $0.hexadecimalValue != nil }
        }
    }

    private static func violation(ofLength headers: HeaderFields, _ version: String) -> HTTPError? {
        let lengths = headers.count(of: "content-length")
        let codings = headers.count(of: "transfer-encoding")
        // RFC 9112 §6.3: a message with both, or with several lengths, may be an attempt at request smuggling.
        guard lengths <= 1, codings <= 1, lengths + codings <= 1 else {
            return .malformed("ambiguous message length")
        }
        guard codings == 1 else { return nil }
        // RFC 9112 §6.1: "A server or client that receives an HTTP/1.0 message containing a Transfer-Encoding header
        // field MUST treat the message as if the framing is faulty."
        guard version == "HTTP/1.1" else { return .malformed("HTTP/1.0 has no transfer codings") }
        // §6.1: the response to an unknown coding is 501. The library compares the raw value, so with a blank after
        // `chunked` it would read the body differently.
        let coding = headers.raw("transfer-encoding")?.map(\.asciiLowercased)
        return coding == Array("chunked".utf8) ? nil : .unknownTransferCoding
    }
}

extension UInt8 {
    /// A character of `reg-name` (RFC 3986 §3.2.2): unreserved, a sub-delimiter but the comma, or `%` of an escape.
    fileprivate var isNameCharacter: Bool {
        switch Unicode.Scalar(self) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "%": true
        case "!", "$", "&", "'", "(", ")", "*", "+", ";", "=": true
        default: false
        }
    }
}
