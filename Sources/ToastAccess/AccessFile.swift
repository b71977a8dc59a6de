public import Foundation
import JWTKit

/// Who may do what, as one file: API keys by their digests, and the keys that tokens are verified with.
///
/// ```json
/// {"keys": [{"id": "3f9a01c2", "name": "ci", "digest": "…", "grants": [{"scopes": ["publish"], "channels": ["ops-*"]}]}],
///  "tokens": {"audience": "toastd", "issuer": "https://id.example",
///             "keys": [{"kid": "a", "algorithm": "ES256", "publicKey": "-----BEGIN PUBLIC KEY-----…"}]}}
/// ```
public struct AccessFile: Codable, Sendable {
    /// An API key as it is stored.
    public struct Key: Codable, Sendable {
        /// What names it.
        public let id: String

        /// What people call it.
        public var name: String

        /// The digest of its secret, ``APIKey/digest``.
        public var digest: String

        /// What it may do.
        public var grants: [Grant]

        /// When it ends; `nil` for never.
        public var expires: Date?

        /// A key to be stored.
        public init(_ key: APIKey, name: String, grants: [Grant], expires: Date?) {
            self.id = key.id
            self.name = name
            self.digest = key.digest
            self.grants = grants
            self.expires = expires
        }
    }

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
    }

    /// API keys.
    public var keys: [Key] = []

    /// How tokens are verified; `nil` when they are not.
    public var tokens: Tokens?

    /// The most keys of either kind.
    public static let maximumKeys = 10_000

    /// Nobody may do anything.
    public init() {}

    /// Reads a file.
    ///
    /// - Throws: ``AccessError`` with the place that makes no sense.
    public init(contentsOf path: String) throws(AccessError) {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            self = try decoder.decode(Self.self, from: data)
        } catch {
            throw .unreadable(path, Self.reason(error, of: path))
        }
        guard self.keys.count <= Self.maximumKeys, (self.tokens?.keys.count ?? 0) <= Self.maximumKeys else {
            throw .unreadable(path, "there are more than \(Self.maximumKeys) keys")
        }
        guard Set(self.keys.map(\.id)).count == self.keys.count else {
            throw .unreadable(path, "two keys have the same id")
        }
    }

    /// Writes the file so that it is there whole or not at all, readable for its owner only.
    public func write(to path: String) throws(AccessError) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .iso8601
            let temporary = path + ".new"
            let data = try encoder.encode(self)
            let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            guard FileManager.default.createFile(atPath: temporary, contents: nil, attributes: mode) else {
                throw CocoaError(.fileWriteUnknown)
            }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: temporary))
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            guard SystemCalls.rename(temporary, to: path) else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw .unreadable(path, "cannot be written; \(Self.reason(error, of: path))")
        }
    }

    /// What is wrong, and the way out: what Foundation says of files helps nobody.
    private static func reason(_ error: any Error, of path: String) -> String {
        switch error {
        case CocoaError.fileReadNoSuchFile:
            return "there is no such file; `toastd key create --access \(path) …` makes one"
        case CocoaError.fileReadNoPermission, CocoaError.fileWriteNoPermission:
            return "the user that toastd runs as has no right to it"
        case is CocoaError where (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil:
            return "is a directory; name a file in it"
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            let place = context.codingPath.map(\.stringValue).joined(separator: "/")
            return "/\(place): \(context.debugDescription)"
        default:
            return error.localizedDescription
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

/// Why who may do what is not known.
public enum AccessError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file cannot be read, or makes no sense: mend it.
    case unreadable(String, String)

    /// A key of the file cannot be used: mend it.
    case badKey(String, String)

    /// The reason in a sentence.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .badKey(let kid, let reason): "token key \(kid): \(reason)"
        }
    }
}
