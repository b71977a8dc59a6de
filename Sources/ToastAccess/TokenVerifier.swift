import Crypto
import Foundation
import JWTKit
package import ToastCore

/// Verifies tokens (JWT, RFC 7519) with the configured keys only.
///
/// A key has one algorithm. A token that names another one is refused before its signature is checked (RFC 8725 §3.1),
/// which excludes `none` and an RSA key that is used as a shared secret.
package struct TokenVerifier: Sendable {
    fileprivate struct Key: Sendable {
        let name: String
        let algorithm: any JWTAlgorithm
        /// The ``Principal/evidence`` of the principals whose tokens this key verifies.
        let evidence: UInt64
    }

    private let keys: [String: Key]
    /// The evidence of all keys.
    let evidence: Set<UInt64>
    private let audience: String
    private let issuer: String?

    /// The longest token, in bytes.
    static let maximumLength = 4096

    /// A verifier with the keys of a file; throws if one cannot be used.
    package init(_ tokens: AccessFile.Tokens) async throws(AccessError) {
        var keys: [String: Key] = [:]
        for key in tokens.keys {
            let algorithm = try await key.algorithm(isPrivate: false)
            let known = Key(name: key.algorithm.rawValue, algorithm: algorithm, evidence: tokens.evidence(of: key))
            guard keys.updateValue(known, forKey: key.kid) == nil else {
                throw .badKey(key.kid, "another key has this name")
            }
        }
        self.keys = keys
        self.evidence = Set(keys.values.map(\.evidence))
        self.audience = tokens.audience
        self.issuer = tokens.issuer
    }

    /// A token of which only the signature, which takes long, is still to be checked.
    struct Candidate: Sendable {
        /// Its principal, if it is signed.
        let principal: Principal

        fileprivate let key: Key
        fileprivate let token: ReceivedToken

        /// Whether its key signed it.
        var isSigned: Bool { (try? self.key.algorithm.verify(self.token.signature, signs: self.token.signed)) == true }
    }

    /// Reads a token; `nil` when it is invalid at that instant whatever its signature.
    ///
    /// The reason is not reported: it concerns only the token's issuer.
    func candidate(_ text: String, at now: Instant) -> Candidate? {
        guard let token = ReceivedToken(text, maximumLength: Self.maximumLength, at: now),
            let key = self.key(for: token.header), let principal = self.principal(of: token, key)
        else { return nil }
        return Candidate(principal: principal, key: key, token: token)
    }

    private func key(for header: JSON) -> Key? {
        let key = header["kid"]?.string.map { self.keys[$0] } ?? (self.keys.count == 1 ? self.keys.first?.value : nil)
        guard let key, header["alg"]?.string == key.name else { return nil }
        return key
    }

    private func principal(of token: ReceivedToken, _ key: Key) -> Principal? {
        guard let end = token.end else { return nil }
        let claims = token.claims
        let audiences = claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string].compactMap(\.self)
        guard audiences.contains(self.audience), self.issuer == nil || claims["iss"]?.string == self.issuer else {
            return nil
        }
        guard let grants = claims["toastd"]?.array?.mapAll(Grant.init(claim:)) else { return nil }
        let subject = claims["sub"]?.string ?? ""
        return Principal(name: "token:\(subject)", grants: grants, expires: end, evidence: key.evidence)
    }
}

extension Grant {
    /// Reads `{"scopes": […], "channels": […]}`; channels left out are all.
    fileprivate init?(claim: JSON) {
        guard let scopes = claim["scopes"]?.array?.mapAll({ $0.string.flatMap(Scope.init) }),
            let channels = (claim["channels"] ?? ["*"]).array?.mapAll({ $0.string.flatMap(ChannelPattern.init) })
        else { return nil }
        self.init(Set(scopes), on: channels)
    }
}

extension AccessFile.Tokens {
    /// The ``Principal/evidence`` of a key: 64 bits of a digest of the key, the audience and the issuer.
    fileprivate func evidence(of key: AccessFile.TokenKey) -> UInt64 {
        // Without the private key, which signs and may be in the file of one node only.
        let parts = [
            self.audience, self.issuer ?? "", key.kid, key.algorithm.rawValue, key.secret ?? "", key.publicKey ?? "",
            key.jwk ?? "",
        ]
        let digest = SHA256.hash(data: JSON.array(parts.map(JSON.string)).bytes)
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension AccessFile.TokenKey {
    /// The algorithm with the key in it.
    func algorithm(isPrivate: Bool) async throws(AccessError) -> any JWTAlgorithm {
        let collection = JWTKeyCollection()
        let kid = JWKIdentifier(string: self.kid)
        do {
            if let jwk {
                try await collection.add(jwk: try JWK(json: jwk))
                return try await collection.getKey(for: kid)
            }
            let pem = (isPrivate ? self.privateKey : self.publicKey) ?? ""
            switch (self.algorithm, isPrivate) {
            case (.hs256, _):
                guard let secret = self.secret.flatMap({ Data(base64Encoded: $0) }), secret.count >= 32 else {
                    throw AccessError.badKey(self.kid, "HS256 needs a secret of at least 32 bytes, in base64")
                }
                await collection.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256, kid: kid)
            case (.rs256, false):
                await collection.add(rsa: try Insecure.RSA.PublicKey(pem: pem), digestAlgorithm: .sha256, kid: kid)
            case (.rs256, true):
                await collection.add(rsa: try Insecure.RSA.PrivateKey(pem: pem), digestAlgorithm: .sha256, kid: kid)
            case (.es256, false): await collection.add(ecdsa: try ES256PublicKey(pem: pem), kid: kid)
            case (.es256, true): await collection.add(ecdsa: try ES256PrivateKey(pem: pem), kid: kid)
            case (.edDSA, false): await collection.add(eddsa: try EdDSA.PublicKey(pem: pem), kid: kid)
            case (.edDSA, true): await collection.add(eddsa: try EdDSA.PrivateKey(pem: pem), kid: kid)
            }
            return try await collection.getKey(for: kid)
        } catch let error as AccessError {
            throw error
        } catch {
            throw .badKey(self.kid, "this is no \(isPrivate ? "private" : "public") key for \(self.algorithm.rawValue)")
        }
    }

    /// Signs a token with this key; throws if the file has no private key that can be used.
    package func sign(_ claims: JSON) async throws(AccessError) -> String {
        guard self.algorithm == .hs256 || self.privateKey != nil else {
            throw .badKey(self.kid, "the file has no private key to sign with")
        }
        let algorithm = try await self.algorithm(isPrivate: true)
        let header: JSON = ["alg": .string(self.algorithm.rawValue), "typ": "JWT", "kid": .string(self.kid)]
        let signed = [header, claims].map { Base64URL.encode($0.bytes) }.joined(separator: ".")
        do {
            return signed + "." + Base64URL.encode(try algorithm.sign(Array(signed.utf8)))
        } catch {
            throw .badKey(self.kid, "signing failed")
        }
    }
}
