package import Foundation
import JWTKit

/// The access file: API keys by their digests, and the keys that verify tokens.
///
/// ```json
/// {"keys": [{"id": "3f9a01c2", "name": "ci", "digest": "…", "grants": [{"scopes": ["publish"], "channels":
/// ["ops-*"]}]}],
///  "tokens": {"audience": "toastd", "issuer": "https://id.example",
///             "keys": [{"kid": "a", "algorithm": "ES256", "publicKey": "-----BEGIN PUBLIC KEY-----…"}]}}
/// ```
package struct AccessFile: Codable, Sendable {
    /// An API key as it is stored.
    package struct Key: Codable, Sendable {
        /// Its name in texts of keys and in logs.
        package let id: String

        /// Its name for people.
        package var name: String

        /// The digest of its secret, ``APIKey/digest``.
        package var digest: String

        package var grants: [Grant]

        /// When it expires; `nil` for never.
        package var expires: Date?

        /// A key as the file stores it, without its secret.
        package init(_ key: APIKey, name: String, grants: [Grant], expires: Date?) {
            self.id = key.id
            self.name = name
            self.digest = key.digest
            self.grants = grants
            self.expires = expires
        }
    }

    package var keys: [Key] = []

    /// How tokens are verified; `nil` when they are not.
    package var tokens: Tokens?

    /// The most API keys, and the most token keys.
    package static let maximumKeys = 10_000

    package init() {}

    /// Reads a document; members may be left out.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.keys = try members.decodeIfPresent([Key].self, forKey: .keys) ?? []
        self.tokens = try members.decodeIfPresent(Tokens.self, forKey: .tokens)
    }

    /// Reads a file; the error names the place of the fault.
    package init(contentsOf path: String) throws(AccessError) {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            try Self.checkNames(in: Array(data))
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            self = try decoder.decode(Self.self, from: data)
            try self.tokens?.check()
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

    /// The reason of an error and the remedy, because Foundation's messages about files name no remedy.
    static func reason(_ error: any Error, of path: String) -> String {
        switch error {
        case CocoaError.fileReadNoSuchFile:
            return "there is no such file; `toastd key create --access \(path) …` makes one"
        case CocoaError.fileReadNoPermission, CocoaError.fileWriteNoPermission:
            return "the user that toastd runs as has no permission to use it"
        case let fault as AccessFileError:
            return fault.reason
        case is CocoaError where (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil:
            return "is a directory; name a file in it"
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            let place = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
            return "/\(place): \(context.debugDescription)"
        default:
            return error.localizedDescription
        }
    }
}

/// Why an access file, a key set or a token key cannot be used: correct it.
package struct AccessError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The place of the fault, and the reason.
    package let description: String

    /// A file or a URL that cannot be read or written, or whose content is invalid.
    package static func unreadable(_ path: String, _ reason: String) -> Self {
        Self(description: "\(path): \(reason)")
    }

    static func badKey(_ kid: String, _ reason: String) -> Self {
        Self(description: "token key \(kid): \(reason)")
    }
}
