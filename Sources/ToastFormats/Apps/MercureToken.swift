import Crypto
package import ToastCore

/// A token of Mercure's publishers: a JWT (RFC 7519) of HMAC-SHA256 with the claim `mercure.publish`.
package struct MercureToken: Sendable {
    /// The topics that it may publish to.
    package let selectors: [String]

    private static let longest = 8192

    /// Checks a token with the secret that hub and publishers share; `nil` when it is of another key, of another
    /// algorithm, too old, too young, or no such token.
    package init?(_ text: String, key: [UInt8], at now: Instant) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, text.utf8.count <= Self.longest,
            let head = Array(parts[0].utf8).decodedBase64, let claims = Array(parts[1].utf8).decodedBase64,
            let code = Array(parts[2].utf8).decodedBase64,
            // RFC 8725 §3.1: the verifier chooses the algorithm. RFC 7515 §4.1.11: a token with a critical extension
            // is refused, because none is supported.
            let header = try? JSON(parsing: head), header["alg"]?.string == "HS256", header["crit"] == nil,
            HMAC<SHA256>.isValidAuthenticationCode(
                code,
                authenticating: Array("\(parts[0]).\(parts[1])".utf8),
                using: SymmetricKey(data: key)
            ),
            let document = try? JSON(parsing: claims), document.object != nil
        else { return nil }
        let seconds = Double(now.nanoseconds) / 1_000_000_000
        if let end = document["exp"] { guard let end = end.number, seconds < end else { return nil } }
        if let start = document["nbf"] { guard let start = start.number, seconds >= start else { return nil } }
        self.selectors = (document["mercure"]?["publish"]?.array ?? []).compactMap(\.string)
    }

    /// Whether it may publish to a topic: one that it names, or that matches a template such as
    /// `https://example.com/{channel}`, whose braces stand for one segment of a path.
    package func mayPublish(to topic: String) -> Bool {
        self.selectors.contains { $0 == "*" || $0 == topic || Self.matches($0, topic) }
    }

    private static func matches(_ template: String, _ topic: String) -> Bool {
        let patterns = template.split(separator: "/", omittingEmptySubsequences: false)
        let segments = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard template.contains("{"), patterns.count == segments.count else { return false }
        return zip(patterns, segments).allSatisfy { pattern, segment in
            let isVariable = pattern.hasPrefix("{") && pattern.hasSuffix("}") && pattern.count > 2
            return isVariable ? !segment.isEmpty : pattern == segment
        }
    }
}
