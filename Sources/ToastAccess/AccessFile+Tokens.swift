import Foundation

extension AccessFile {
    /// How tokens (JWT, RFC 7519) are verified.
    public struct Tokens: Hashable, Codable, Sendable {
        /// What the `aud` of a token must name.
        public var audience: String

        /// What the `iss` of a token must be; `nil` when it does not matter.
        public var issuer: String?

        /// The keys, each for one algorithm.
        ///
        /// Nothing that a token says can add one.
        public var keys: [TokenKey]

        /// Where more keys are; `nil` when there are none.
        public var jwks: KeySetPlace?

        /// Reads a document; `keys` may be left out.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            self.audience = try members.decode(String.self, forKey: .audience)
            self.issuer = try members.decodeIfPresent(String.self, forKey: .issuer)
            self.keys = try members.decodeIfPresent([TokenKey].self, forKey: .keys) ?? []
            self.jwks = try members.decodeIfPresent(KeySetPlace.self, forKey: .jwks)
        }

        /// Whether every token that was valid by other rules is valid by these, but for its age: nothing was taken away.
        func isExtension(of old: Self) -> Bool {
            self.audience == old.audience && self.issuer == old.issuer && Set(self.keys).isSuperset(of: old.keys)
        }

        func check() throws(AccessFileFault) {
            guard !self.keys.isEmpty || self.jwks != nil else {
                throw AccessFileFault("/tokens: keys or jwks is missing")
            }
            guard let jwks else { return }
            guard (jwks.url == nil) != (jwks.file == nil) else {
                throw AccessFileFault("/tokens/jwks: either url or file is expected")
            }
            guard jwks.url.map(KeySetPlace.isSafe) ?? true else {
                throw AccessFileFault(
                    "/tokens/jwks/url: an https URL is expected, or an http URL of 127.0.0.1, [::1] or localhost"
                )
            }
            guard KeySetPlace.refreshRange.contains(jwks.refreshSeconds ?? KeySetPlace.refreshSeconds) else {
                let (low, high) = (KeySetPlace.refreshRange.lowerBound, KeySetPlace.refreshRange.upperBound)
                throw AccessFileFault("/tokens/jwks/refreshSeconds: a number from \(low) to \(high) is expected")
            }
        }
    }

    /// Where a ``KeySet`` is: at a URL or in a file.
    public struct KeySetPlace: Hashable, Codable, Sendable {
        /// An https URL, or an http URL of this machine, which no other machine can read or answer.
        public var url: String?

        /// A file; a relative path begins at the directory of the access file.
        public var file: String?

        /// How many seconds go by from one look at the URL to the next; `nil` for ``refreshSeconds``.
        public var refreshSeconds: Int?

        /// How often a URL is looked at unless the file says otherwise: a provider announces a key long before it uses it.
        public static let refreshSeconds = 600

        /// What the file may say instead: up to a day.
        static let refreshRange = 1...86_400

        /// The path of the set, when it is a file.
        ///
        /// - Parameter access: The path of the access file.
        /// - Returns: The path; nil when the set is at a URL.
        public func path(beside access: String) -> String? {
            self.file.map { URL(fileURLWithPath: $0, relativeTo: URL(fileURLWithPath: access)).path }
        }

        static func isSafe(_ url: String) -> Bool {
            guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
                let slashes = url.range(of: "://")
            else { return false }
            let authority = url[slashes.upperBound...].prefix { !"/?#".contains($0) }
            guard !authority.isEmpty, authority.first != ":", !authority.contains("@") else { return false }
            switch url[..<slashes.lowerBound].lowercased() {
            case "https": return true
            case "http":
                let isV6 = authority.hasPrefix("[")
                let host = isV6 ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
                return ["127.0.0.1", "[::1]", "localhost"].contains(host.lowercased())
            default: return false
            }
        }
    }

    /// A key that tokens are signed with.
    public struct TokenKey: Hashable, Codable, Sendable {
        /// What the header of a token calls it; may be left out of tokens when there is only one key.
        public var kid: String

        /// The only algorithm that the key is used with.
        public var algorithm: TokenAlgorithm

        /// For HS256: the shared secret in base64, at least 256 bits (RFC 7518 §3.2).
        public var secret: String?

        /// For the others: the public key as PEM.
        public var publicKey: String?

        /// For the others, if this file is to sign tokens, too: the private key as PEM.
        public var privateKey: String?

        /// The public key of a ``KeySet``, as JWK; never in the file.
        var jwk: String?

        private enum CodingKeys: CodingKey { case kid, algorithm, secret, publicKey, privateKey }

        init(kid: String, algorithm: TokenAlgorithm) {
            self.kid = kid
            self.algorithm = algorithm
        }
    }
}

/// The algorithms that a token may be signed with; `none` is not one of them.
public enum TokenAlgorithm: String, CaseIterable, Codable, Sendable {
    /// HMAC with SHA-256: who verifies can also sign.
    case hs256 = "HS256"
    /// RSA with SHA-256.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"
}
