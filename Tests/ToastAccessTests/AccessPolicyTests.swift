import Crypto
import Foundation
import Testing
import ToastCore

@testable import ToastAccess

/// Credentials that were checked under an access file that has been replaced since.
@Suite struct AccessPolicyTests {
    private let now = Instant(nanoseconds: 1_800_000_000_000_000_000)
    private let key = APIKey()
    private let authenticator = Authenticator(anonymous: [])

    private func file(_ key: APIKey? = nil, may scopes: Set<Scope> = [.publish, .subscribe]) -> AccessFile {
        var file = AccessFile()
        file.keys = [AccessFile.Key(key ?? self.key, name: "ci", grants: [Grant(scopes)], expires: nil)]
        return file
    }

    private func show(_ credential: Credential) throws(AuthenticationError) -> Principal {
        try self.authenticator.principal(showing: credential, from: .here, at: self.now)
    }

    @Test func aWithdrawnPrincipalGetsNoSessionOrTicket() async throws {
        try await self.authenticator.adopt(self.file())
        let caller = try self.show(.bearer(self.key.text))
        // The access file is replaced between the check of the key and its use.
        try await self.authenticator.adopt(AccessFile())
        await #expect(throws: AuthenticationError.invalid) {
            try await self.authenticator.openSession(for: caller, at: self.now)
        }
        #expect(throws: AuthenticationError.invalid) { try self.authenticator.issueTicket(for: caller, at: self.now) }
    }

    @Test func aPrincipalThatIsStillKnownKeepsItsSessions() async throws {
        try await self.authenticator.adopt(self.file())
        let caller = try self.show(.bearer(self.key.text))
        var more = self.file(may: Set(Scope.allCases))
        more.keys.append(AccessFile.Key(APIKey(), name: "other", grants: [], expires: nil))
        try await self.authenticator.adopt(more)
        let session = try await self.authenticator.openSession(for: caller, at: self.now)
        #expect(try self.show(.session(session.name)).grants == caller.grants)
        let ticket = try self.authenticator.issueTicket(for: caller, at: self.now)
        #expect(try self.show(.ticket(ticket)).grants == caller.grants)
    }

    @Test func rightsThatWereTakenAwayMeanwhileAreNotHandedOn() async throws {
        try await self.authenticator.adopt(self.file())
        let caller = try self.show(.bearer(self.key.text))
        try await self.authenticator.adopt(self.file(may: [.publish]))
        await #expect(throws: AuthenticationError.invalid) {
            try await self.authenticator.openSession(for: caller, at: self.now)
        }
        let rest = caller.restricted(to: [.publish], on: nil, until: self.now + Interval(seconds: 9))
        _ = try self.authenticator.issueTicket(for: rest, at: self.now)
    }

    @Test func aKeyThatWasGoneForAWhileIsAnotherOne() async throws {
        try await self.authenticator.adopt(self.file())
        let caller = try self.show(.bearer(self.key.text))
        try await self.authenticator.adopt(AccessFile())
        try await self.authenticator.adopt(self.file())
        #expect(!self.authenticator.isValid(caller))
        await #expect(throws: AuthenticationError.invalid) {
            try await self.authenticator.openSession(for: caller, at: self.now)
        }
        #expect(self.authenticator.isValid(try self.show(.bearer(self.key.text))))
    }

    @Test func aTokenThatWasBeingVerifiedIsNotRemembered() async throws {
        let secret = Data(repeating: 7, count: 32).base64EncodedString()
        let json = #"{"audience": "toastd", "keys": [{"kid": "a", "algorithm": "HS256", "secret": "\#(secret)"}]}"#
        var file = AccessFile()
        let tokens = try JSONDecoder().decode(AccessFile.Tokens.self, from: Data(json.utf8))
        file.tokens = tokens
        try await self.authenticator.adopt(file)
        let claims: JSON = [
            "sub": "alice", "aud": "toastd", "exp": 1_800_000_060, "toastd": [["scopes": ["publish"]]],
        ]
        let token = try await #require(tokens.keys.first).sign(claims)
        let caller = try self.show(.bearer(token))
        try await self.authenticator.adopt(AccessFile())
        // The verification began before the file was replaced, and ends now.
        self.authenticator.remember(caller, of: SHA256.hash(data: Array(token.utf8)))
        #expect(throws: AuthenticationError.invalid) { try self.show(.bearer(token)) }
        #expect(throws: AuthenticationError.invalid) { try self.authenticator.issueTicket(for: caller, at: self.now) }
    }

    @Test func tokensStayKnownForAsLongAsTheirKeysDo() {
        var cache = TokenCache(atMost: 4)
        func digest(_ number: Int) -> SHA256.Digest { SHA256.hash(data: Array("\(number)".utf8)) }
        for number in 0..<9 {
            cache.remember(Principal(name: "token:\(number)", grants: []), of: digest(number))
            // A token that is looked up stays in the cache.
            #expect(cache.principal(of: digest(0))?.name == "token:0")
        }
        #expect(cache.principal(of: digest(1)) == nil)
    }
}
