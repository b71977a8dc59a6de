import Crypto
import Foundation
import Testing
import ToastAccess
import ToastCore

@Suite struct TokenVerifierTests {
    private static let now = Instant(nanoseconds: 1_800_000_000_000_000_000)
    private static let secret = Data(repeating: 7, count: 32).base64EncodedString()

    /// Made with `openssl ecparam -genkey`, `openssl genrsa`, `openssl genpkey`, for these tests only.
    private static func keys() throws -> [AccessFile.TokenKey] {
        let json = """
            [{"kid": "hs", "algorithm": "HS256", "secret": "\(self.secret)"},
             {"kid": "es", "algorithm": "ES256", "publicKey": "\(TestKeys.es256.public)", "privateKey": "\(TestKeys.es256.private)"},
             {"kid": "rs", "algorithm": "RS256", "publicKey": "\(TestKeys.rs256.public)", "privateKey": "\(TestKeys.rs256.private)"},
             {"kid": "ed", "algorithm": "EdDSA", "publicKey": "\(TestKeys.edDSA.public)", "privateKey": "\(TestKeys.edDSA.private)"}]
            """
        return try JSONDecoder().decode([AccessFile.TokenKey].self, from: Data(json.utf8))
    }

    private static func authenticator(issuer: String? = nil) async throws -> Authenticator {
        var file = AccessFile()
        let keys = try JSONEncoder().encode(self.keys())
        let issuer = issuer.map { #","issuer":"\#($0)""# } ?? ""
        let json = #"{"audience":"toastd","keys":\#(String(decoding: keys, as: UTF8.self))\#(issuer)}"#
        file.tokens = try JSONDecoder().decode(AccessFile.Tokens.self, from: Data(json.utf8))
        let authenticator = Authenticator(anonymous: [])
        try await authenticator.adopt(file)
        return authenticator
    }

    private static let claims: JSON = [
        "sub": "alice", "aud": ["other", "toastd"], "exp": 1_800_000_060, "nbf": 1_800_000_000,
        "toastd": [["scopes": ["publish"], "channels": ["ops-*"]], ["scopes": ["subscribe"]]],
    ]

    private static func with(_ name: String, _ value: JSON?) -> JSON {
        var object = self.claims.object ?? [:]
        object[name] = value
        return .object(object)
    }

    @Test(arguments: ["hs", "es", "rs", "ed"])
    func aSignedTokenTellsWhoAndWhat(kid: String) async throws {
        let key = try #require(try Self.keys().first { $0.kid == kid })
        let authenticator = try await Self.authenticator()
        let token = try await key.sign(Self.claims)
        let principal = try authenticator.principal(showing: .bearer(token), from: .here, at: Self.now)
        #expect(principal.name == "token:alice")
        #expect(principal.may(.publish, on: try #require(ChannelName(rawValue: "ops-eu"))))
        #expect(!principal.mayEverywhere(.publish))
        #expect(principal.mayEverywhere(.subscribe))
        // The issuer's clock may be 30 seconds behind.
        let end = Instant(nanoseconds: 1_800_000_090_000_000_000)
        #expect(principal.expires == end)
        let last = end + Interval(nanoseconds: -1)
        #expect(try authenticator.principal(showing: .bearer(token), from: .here, at: last) == principal)
        #expect(throws: AuthenticationError.invalid) {
            try authenticator.principal(showing: .bearer(token), from: .here, at: end)
        }
        var parts = token.split(separator: ".").map(String.init)
        parts[2] = String(parts[2].reversed())
        #expect(throws: AuthenticationError.invalid) {
            try authenticator.principal(showing: .bearer(parts.joined(separator: ".")), from: .here, at: Self.now)
        }
    }

    @Test(
        arguments: [
            ("exp", nil), ("exp", 1_799_999_900), ("exp", "1900000000"), ("nbf", 1_800_000_031),
            ("aud", "other"), ("aud", nil), ("toastd", nil), ("toastd", [["scopes": ["root"]]]),
            ("toastd", [["scopes": ["publish"], "channels": ["a*b"]]]),
        ] as [(String, JSON?)]
    )
    func aTokenWithAWrongClaimIsRefused(name: String, value: JSON?) async throws {
        let token = try await #require(try Self.keys().first).sign(Self.with(name, value))
        let authenticator = try await Self.authenticator()
        #expect(throws: AuthenticationError.invalid) {
            try authenticator.principal(showing: .bearer(token), from: .here, at: Self.now)
        }
    }

    /// Clocks may differ by 30 seconds; a time that is too long ago, or too far away, is one all the same.
    @Test(
        arguments: [("nbf", 0), ("nbf", -1), ("nbf", 1_800_000_030), ("exp", 9_999_999_999), ("exp", 1e300)]
            as [(String, JSON)]
    )
    func aTimeMayBeFarAwayOrAheadOfThisClock(name: String, value: JSON) async throws {
        let token = try await #require(try Self.keys().first).sign(Self.with(name, value))
        _ = try await Self.authenticator().principal(showing: .bearer(token), from: .here, at: Self.now)
    }

    @Test func forgedTokensKeepNoValidOneOut() async throws {
        let key = try #require(try Self.keys().first { $0.kid == "es" })
        let authenticator = try await Self.authenticator()
        func show(_ token: String, at now: Instant = Self.now) throws(AuthenticationError) {
            _ = try authenticator.principal(showing: .bearer(token), from: .here, at: now)
        }
        let (known, fresh, late) = (
            try await key.sign(Self.claims), try await key.sign(Self.with("sub", "bob")),
            try await key.sign(Self.with("sub", "carol"))
        )
        let forged = known.split(separator: ".").dropLast().joined(separator: ".") + ".AAAA"
        try show(known)
        for _ in 0..<30 { #expect(throws: AuthenticationError.invalid) { try show(forged) } }
        #expect(throws: AuthenticationError.tooManyAttempts(wait: Interval(seconds: 60))) { try show(forged) }
        try show(fresh)
        // Each failed check of a signature uses up a budget; when it is empty, further checks are refused for a moment.
        // A token from the cache needs no check, so it is still accepted.
        for _ in 0..<99 { #expect(throws: AuthenticationError.self) { try show(forged) } }
        #expect(throws: AuthenticationError.tooManyAttempts(wait: Interval(seconds: 0.1))) { try show(late) }
        try show(known)
        try show(fresh)
        try show(late, at: Self.now + Interval(seconds: 0.1))
    }

    @Test func whatIsNoTokenForThisServerCostsNoSignature() async throws {
        let key = try #require(try Self.keys().first { $0.kid == "es" })
        let authenticator = try await Self.authenticator()
        let (ended, valid) = (try await key.sign(Self.with("exp", 1_799_999_900)), try await key.sign(Self.claims))
        for token in Array(repeating: ended, count: 200) + ["x", "a.b.c", valid + "." + valid] {
            #expect(throws: AuthenticationError.self) {
                try authenticator.principal(showing: .bearer(token), from: .here, at: Self.now)
            }
        }
        _ = try authenticator.principal(showing: .bearer(valid), from: .here, at: Self.now)
    }

    @Test func theIssuerIsCheckedWhenThereIsOne() async throws {
        let key = try #require(try Self.keys().first)
        let authenticator = try await Self.authenticator(issuer: "https://id.example")
        let good = try await key.sign(Self.with("iss", "https://id.example"))
        _ = try authenticator.principal(showing: .bearer(good), from: .here, at: Self.now)
        let bad = try await key.sign(Self.with("iss", "https://id.example.evil"))
        #expect(throws: AuthenticationError.invalid) {
            try authenticator.principal(showing: .bearer(bad), from: .here, at: Self.now)
        }
    }

    /// RFC 8725 §2.1 and §3.1: no algorithm at all, and a public key taken for a shared secret.
    @Test(arguments: [("none", "rs"), ("HS256", "rs"), ("HS256", "es"), ("ES256", "hs"), ("HS256", "nobody")])
    func aTokenCannotChooseItsAlgorithm(algorithm: String, kid: String) async throws {
        let authenticator = try await Self.authenticator()
        let genuine = try await #require(try Self.keys().first { $0.kid == "hs" }).sign(Self.claims)
        let parts = genuine.split(separator: ".")
        let header = Self.base64URL(Data(#"{"alg":"\#(algorithm)","kid":"\#(kid)"}"#.utf8))
        for signature in [String(parts[2]), ""] {
            #expect(throws: AuthenticationError.invalid) {
                try authenticator.principal(
                    showing: .bearer("\(header).\(parts[1]).\(signature)"),
                    from: .here,
                    at: Self.now
                )
            }
        }
    }

    /// The signature is genuine: only the algorithm is wrong, as when a public key is taken for a shared secret.
    @Test(arguments: [("HS256", true), ("ES256", false), ("RS256", false), ("none", false)])
    func theKeyNamesTheAlgorithm(algorithm: String, isValid: Bool) async throws {
        let authenticator = try await Self.authenticator()
        let parts = [Data(#"{"alg":"\#(algorithm)","kid":"hs"}"#.utf8), Data(Self.claims.encoded)].map(Self.base64URL)
        let signed = parts.joined(separator: ".")
        let key = SymmetricKey(data: Data(repeating: 7, count: 32))
        let signature = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
        let token = Credential.bearer("\(signed).\(Self.base64URL(Data(signature)))")
        let principal = try? authenticator.principal(showing: token, from: .here, at: Self.now)
        #expect((principal != nil) == isValid)
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// A node that signs tokens, too, has the private key in its file.
    @Test func aPrivateKeyThatIsAddedEndsNothing() async throws {
        var file = AccessFile()
        let signer = try #require(try Self.keys().first { $0.kid == "es" })
        func adopt(_ key: AccessFile.TokenKey) async throws {
            let keys = String(decoding: try JSONEncoder().encode([key]), as: UTF8.self)
            let json = #"{"audience":"toastd","keys":\#(keys)}"#
            file.tokens = try JSONDecoder().decode(AccessFile.Tokens.self, from: Data(json.utf8))
            try await authenticator.adopt(file)
        }
        let authenticator = Authenticator(anonymous: [])
        var verifier = signer
        verifier.privateKey = nil
        try await adopt(verifier)
        let token = Credential.bearer(try await signer.sign(Self.claims))
        let principal = try authenticator.principal(showing: token, from: .here, at: Self.now)
        let (session, _) = try await authenticator.openSession(for: principal, at: Self.now)
        try await adopt(signer)
        #expect(authenticator.isValid(principal))
        let user = try authenticator.principal(showing: .session(session), from: .here, at: Self.now)
        #expect(!user.isAnonymous)
    }

    @Test(arguments: ["", ".", "..", "a.b.c", "e30.e30.", String(repeating: "a", count: 5000), "e30=.e30.e30"])
    func whatIsNoTokenIsRefused(text: String) async throws {
        let authenticator = try await Self.authenticator()
        #expect(throws: AuthenticationError.invalid) {
            try authenticator.principal(showing: .bearer(text), from: .here, at: Self.now)
        }
    }

    @Test func aWeakOrBrokenKeyIsNotTakenOver() async throws {
        for key in [
            #"{"kid": "a", "algorithm": "HS256", "secret": "c2hvcnQ="}"#, #"{"kid": "a", "algorithm": "ES256"}"#,
            #"{"kid": "a", "algorithm": "RS256", "publicKey": "x"}"#,
        ] {
            let json = #"{"audience": "toastd", "keys": [\#(key)]}"#
            let tokens = try JSONDecoder().decode(AccessFile.Tokens.self, from: Data(json.utf8))
            await #expect(throws: AccessError.self) { try await TokenVerifier(tokens) }
        }
    }
}
