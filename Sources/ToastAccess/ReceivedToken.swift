import ToastCore

/// A token (JWT, RFC 7519) in the compact form of RFC 7515, before its signature is checked.
struct ReceivedToken {
    let header: JSON
    let claims: JSON
    let signature: [UInt8]

    /// The bytes that the signature is about: header and claims as they arrived.
    let signed: [UInt8]

    /// When the token ends, by the claim `exp` and the ``leeway``; `nil` when it never does.
    let end: Instant?

    /// How far clocks may be apart, in both directions.
    private static let leeway = Interval(seconds: 30)

    /// Reads a token of at most `maximumLength` bytes; `nil` when there is none, or it is not valid at the instant.
    init?(_ text: String, maximumLength: Int, at now: Instant) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= maximumLength, parts.count == 3,
            let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2]),
            // RFC 7515 §4.1.11: critical extensions are not understood.
            header["crit"] == nil
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        self.signed = Array("\(parts[0]).\(parts[1])".utf8)
        if let expires = claims["exp"] {
            guard let expires = Self.instant(expires), now < expires + Self.leeway else { return nil }
            self.end = expires + Self.leeway
        } else {
            self.end = nil
        }
        if let start = claims["nbf"] {
            guard let start = Self.instant(start), start <= now + Self.leeway else { return nil }
        }
    }

    private static func object(_ text: Substring) -> JSON? {
        guard let json = Base64URL.decode(text).flatMap({ try? JSON(parsing: $0) }) else { return nil }
        return json.object == nil ? nil : json
    }

    /// The instant of a claim: seconds since 1970, perhaps with a fraction (RFC 7519 §2); `nil` when it is no number.
    ///
    /// Times before 1970 become 1970, and those after 2255 a time in 2255, so that no ``Instant`` overflows.
    private static func instant(_ claim: JSON) -> Instant? {
        guard let seconds = claim.number else { return nil }
        return Instant(nanoseconds: Int64(min(max(seconds, 0), 8_999_999_999) * 1000) * 1_000_000)
    }
}
