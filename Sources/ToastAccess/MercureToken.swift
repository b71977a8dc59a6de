import Crypto
package import ToastCore

/// A token of Mercure's publishers: a JWT (RFC 7519) of HMAC-SHA256 with the claim `mercure.publish`.
package struct MercureToken: Sendable {
    /// The topics that it may publish to.
    package let selectors: [String]

    private static let maximumLength = 8192

    /// Checks a token with the secret that hub and publishers share; `nil` when it is of another key, of another
    /// algorithm, expired, not valid yet, or no token.
    package init?(_ text: String, key: [UInt8], at now: Instant) {
        guard let token = ReceivedToken(text, maximumLength: Self.maximumLength, at: now),
            // RFC 8725 §3.1: the verifier chooses the algorithm.
            token.header["alg"]?.string == "HS256",
            HMAC<SHA256>.isValidAuthenticationCode(
                token.signature,
                authenticating: token.signed,
                using: SymmetricKey(data: key)
            )
        else { return nil }
        self.selectors = (token.claims["mercure"]?["publish"]?.array ?? []).compactMap(\.string)
    }

    /// Whether it may publish to a topic: its selectors have `*`, the topic, or a template that the topic matches.
    ///
    /// The braces of a template such as `https://example.com/{channel}` stand for one segment of a path.
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
