import Foundation

extension AccessFile {
    /// How tokens (JWT, RFC 7519) are verified.
    package struct Tokens: Hashable, Codable, Sendable {
        /// The required `aud` of a token.
        package var audience: String

        /// The required `iss` of a token; `nil` for any.
        package var issuer: String?

        /// The keys, each for one algorithm.
        ///
        /// A token cannot add one.
        package var keys: [TokenKey]

        /// Where further keys are; `nil` for nowhere.
        package var jwks: KeySetPlace?

        /// Reads a document; `keys` may be left out.
        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            self.audience = try members.decode(String.self, forKey: .audience)
            self.issuer = try members.decodeIfPresent(String.self, forKey: .issuer)
            self.keys = try members.decodeIfPresent([TokenKey].self, forKey: .keys) ?? []
            self.jwks = try members.decodeIfPresent(KeySetPlace.self, forKey: .jwks)
        }

        func check() throws(AccessFileError) {
            guard !self.keys.isEmpty || self.jwks != nil else {
                throw AccessFileError("/tokens: keys or jwks is missing")
            }
            guard let jwks else { return }
            guard (jwks.url == nil) != (jwks.file == nil) else {
                throw AccessFileError("/tokens/jwks: either url or file is expected")
            }
            guard jwks.url.map(KeySetPlace.isSafe) ?? true else {
                throw AccessFileError(
                    "/tokens/jwks/url: an https URL is expected, or an http URL of 127.0.0.1, [::1] or localhost"
                )
            }
            guard KeySetPlace.refreshRange.contains(jwks.refreshSeconds ?? KeySetPlace.refreshSeconds) else {
                let (low, high) = (KeySetPlace.refreshRange.lowerBound, KeySetPlace.refreshRange.upperBound)
                throw AccessFileError("/tokens/jwks/refreshSeconds: a number from \(low) to \(high) is expected")
            }
        }
    }

    /// The place of a ``KeySet``: a URL or a file.
    package struct KeySetPlace: Hashable, Codable, Sendable {
        /// An https URL, or an http URL of this machine, where no other machine can read or answer the request.
        package var url: String?

        /// A file; a relative path begins at the directory of the access file.
        package var file: String?

        /// The seconds between fetches of the URL; `nil` for ``refreshSeconds``.
        package var refreshSeconds: Int?

        /// The default number of seconds between fetches: a provider publishes a key long before it uses it.
        package static let refreshSeconds = 600

        /// The numbers of seconds that the file may set: up to a day.
        static let refreshRange = 1...86_400

        /// The path of the set, relative to that of the access file; nil if the set is at a URL.
        package func path(beside access: String) -> String? {
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

    /// A key that signs tokens.
    package struct TokenKey: Hashable, Codable, Sendable {
        /// The key's name in the header of a token, which may omit it when there is only one key.
        package var kid: String

        /// The only algorithm that the key is used with.
        package var algorithm: TokenAlgorithm

        /// For HS256: the shared secret in base64, at least 256 bits (RFC 7518 §3.2).
        package var secret: String?

        /// For the others: the public key as PEM.
        package var publicKey: String?

        /// For the others, if the key shall also sign tokens: the private key as PEM.
        package var privateKey: String?

        /// The public key of a ``KeySet``, as JWK; never in the file.
        var jwk: String?

        private enum CodingKeys: CodingKey { case kid, algorithm, secret, publicKey, privateKey }
    }
}

/// The algorithms of tokens; `none` is not one of them.
package enum TokenAlgorithm: String, CaseIterable, Codable, Sendable {
    /// HMAC with SHA-256: every verifier can also sign.
    case hs256 = "HS256"
    /// RSA with SHA-256.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"
}
