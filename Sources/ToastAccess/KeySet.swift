import Foundation
import JWTKit
import ToastCore

/// The public keys that an identity provider publishes (JWKS, RFC 7517 §5) and that can verify tokens here.
///
/// A key is used with the one algorithm of its type, whatever a token says: RS256, ES256 or EdDSA.
package struct KeySet: Hashable, Sendable {
    /// A key of the set that is not used.
    package struct Unusable: Hashable, Sendable, CustomStringConvertible {
        /// Its `kid`, or its index in the set.
        package let name: String

        package let reason: String

        package var description: String { "\(self.name): \(self.reason)" }
    }

    /// The keys that can verify tokens.
    package let keys: [AccessFile.TokenKey]

    package let unusable: [Unusable]

    /// The longest document, in bytes; providers publish a few thousand bytes.
    package static let maximumBytes = 262_144

    /// The most keys of a set, usable or not.
    package static let maximumKeys = 100

    /// Reads a set; `place` is its origin, for errors.
    ///
    /// A key that cannot be used is not an error.
    package init(parsing bytes: [UInt8], from place: String) async throws(AccessError) {
        guard bytes.count <= Self.maximumBytes else {
            throw .unreadable(place, "a key set has at most \(Self.maximumBytes) bytes")
        }
        let document: JSON
        do throws(JSONSyntaxError) { document = try JSON(parsing: bytes) } catch {
            throw .unreadable(place, "byte \(error.offset): \(error.detail)")
        }
        guard let members = document["keys"]?.array else {
            throw .unreadable(place, #"a key set is expected: {"keys": […]}"#)
        }
        guard members.count <= Self.maximumKeys else {
            throw .unreadable(place, "a key set has at most \(Self.maximumKeys) keys")
        }
        var keys: [AccessFile.TokenKey] = []
        var unusable: [Unusable] = []
        for (index, member) in members.enumerated() {
            do throws(AccessFileError) {
                let key = try await AccessFile.TokenKey(published: member)
                guard !keys.contains(where: { $0.kid == key.kid }) else {
                    throw AccessFileError("another key has this kid")
                }
                keys.append(key)
            } catch {
                let name = member["kid"]?.string ?? "the key at \(index)"
                unusable.append(Unusable(name: name, reason: error.reason))
            }
        }
        self.keys = keys
        self.unusable = unusable
    }

    package init(contentsOf path: String) async throws(AccessError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(path, "this key set cannot be read")
        }
        try await self.init(parsing: Array(data), from: path)
    }
}

extension AccessFile.TokenKey {
    /// Reads a key of a set (RFC 7517 §4).
    fileprivate init(published key: JSON) async throws(AccessFileError) {
        guard let kid = key["kid"]?.string, !kid.isEmpty else { throw AccessFileError("it has no kid") }
        guard key["use"] == nil || key["use"] == "sig" else { throw AccessFileError("it is not for signatures (use)") }
        if let operations = key["key_ops"] {
            guard operations.array?.contains("verify") == true else {
                throw AccessFileError("it is not for verifying (key_ops)")
            }
        }
        guard key["d"] == nil else { throw AccessFileError("it is a private key: its readers can sign") }
        let type = key["kty"]?.string ?? ""
        let algorithm: TokenAlgorithm
        switch (type, key["crv"]?.string) {
        case ("RSA", _): algorithm = .rs256
        case ("EC", "P-256"): algorithm = .es256
        case ("OKP", "Ed25519"): algorithm = .edDSA
        case ("oct", _): throw AccessFileError("it is a shared secret, which has no place among public keys")
        default: throw AccessFileError("its type is none of RSA, EC with P-256 and OKP with Ed25519")
        }
        guard key["alg"] == nil || key["alg"]?.string == algorithm.rawValue else {
            throw AccessFileError("its algorithm is none of RS256, ES256 and EdDSA")
        }
        var parameters: JSONObject = [
            "kty": .string(type), "kid": .string(kid), "alg": .string(algorithm.rawValue),
        ]
        for name in ["n", "e", "crv", "x", "y"] { parameters[name] = key[name] }
        self.init(kid: kid, algorithm: algorithm)
        self.jwk = String(decoding: JSON.object(parameters).bytes, as: UTF8.self)
        do throws(AccessError) { _ = try await self.algorithm(isPrivate: false) } catch {
            throw AccessFileError("this is no public key for \(algorithm.rawValue)")
        }
    }
}

extension AccessFile {
    /// The file with the keys of its key set added.
    ///
    /// The file's own keys take precedence over those of the same name in the set.
    package func adding(_ set: KeySet?) -> Self {
        guard let set, var tokens = self.tokens else { return self }
        let own = Set(tokens.keys.map(\.kid))
        tokens.keys += set.keys.filter { !own.contains($0.kid) }
        var file = self
        file.tokens = tokens
        return file
    }
}
