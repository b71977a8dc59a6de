import Foundation
import Testing
import ToastAccess
import ToastCore

@Suite struct AuthenticatorTests {
    private let now = Instant(nanoseconds: 1_800_000_000_000_000_000)
    private let key = APIKey()

    private func authenticator(expires: Date? = nil, anonymous: Set<Scope> = []) async throws -> Authenticator {
        var file = AccessFile()
        file.keys = [AccessFile.Key(self.key, name: "ci", grants: [Grant([.publish])], expires: expires)]
        let authenticator = Authenticator(anonymous: anonymous)
        try await authenticator.adopt(file)
        return authenticator
    }

    @Test func aKeyIsKnownByItsTextOnly() async throws {
        let authenticator = try await self.authenticator()
        let principal = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        #expect(principal.name == "key:\(self.key.id)")
        let other = String(self.key.text.dropLast()) + (self.key.text.hasSuffix("0") ? "1" : "0")
        let spellings = ["toastx" + self.key.text.dropFirst(6), "toastd" + self.key.text.dropFirst(6).uppercased()]
        for wrong in [other, APIKey().text, self.key.digest, "", "toastd__", self.key.text + "0"] + spellings {
            #expect(throws: AuthenticationError.invalid) {
                try authenticator.principal(showing: .bearer(wrong), from: .here, at: self.now)
            }
        }
    }

    @Test func aKeyEndsWhenItSays() async throws {
        let authenticator = try await self.authenticator(expires: Date(timeIntervalSince1970: 1_800_000_010))
        _ = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        #expect(throws: AuthenticationError.invalid) {
            try authenticator.principal(
                showing: .bearer(self.key.text),
                from: .here,
                at: self.now + Interval(seconds: 10)
            )
        }
    }

    @Test(arguments: ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])
    func aKeyMayEndOutOfReachOfTheClock(text: String) async throws {
        let end = try Date.ISO8601FormatStyle().parse(text)
        let authenticator = try await self.authenticator(expires: end)
        let principal = try? authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        #expect((principal == nil) == (end < Date(timeIntervalSince1970: 0)))
    }

    @Test func aRequestWithoutACredentialIsAnonymous() async throws {
        let authenticator = try await self.authenticator(anonymous: [.subscribe])
        let principal = try authenticator.principal(showing: .none, from: .here, at: self.now)
        #expect(principal.mayEverywhere(.subscribe))
        #expect(!principal.mayEverywhere(.publish))
    }

    @Test func theLimitOnFailedAttemptsCanBeSet() async throws {
        let authenticator = try await self.authenticator()
        func attempt() throws(AuthenticationError) {
            _ = try authenticator.principal(showing: .bearer("x"), from: .here, at: self.now)
        }
        let wait = Interval(seconds: 9)
        authenticator.limitAttempts(to: (2, wait))
        for _ in 0..<2 { #expect(throws: AuthenticationError.invalid) { try attempt() } }
        // Setting the same rule again does not end running waits.
        authenticator.limitAttempts(to: (2, wait))
        #expect(throws: AuthenticationError.tooManyAttempts(wait: wait)) { try attempt() }
        authenticator.limitAttempts(to: nil)
        for _ in 0..<99 { #expect(throws: AuthenticationError.invalid) { try attempt() } }
    }

    /// Each kind of credential is counted separately: an `<img>` of another page can only show wrong tickets.
    @Test(arguments: [Credential.bearer("toastd_x"), .bearer("x"), .ticket("x")])
    func onlyFailuresAreSlowed(wrong: Credential) async throws {
        let authenticator = try await self.authenticator()
        func show(_ credential: Credential, from source: Source = .here) throws(AuthenticationError) {
            _ = try authenticator.principal(showing: credential, from: source, at: self.now)
        }
        let maker = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        let ticket = try authenticator.issueTicket(for: maker, at: self.now)
        for _ in 0..<30 { #expect(throws: AuthenticationError.invalid) { try show(wrong) } }
        #expect(throws: AuthenticationError.tooManyAttempts(wait: Interval(seconds: 60))) { try show(wrong) }
        #expect(throws: AuthenticationError.invalid) { try show(wrong, from: .there) }
        try show(.bearer(self.key.text))
        try show(.ticket(ticket))
        let kinds = [Credential.bearer("toastd_x"), .bearer("x"), .ticket("x")]
        let others = kinds.filter { String(describing: $0) != String(describing: wrong) }
        for other in others { #expect(throws: AuthenticationError.invalid) { try show(other) } }
    }

    @Test func aSessionHasItsIssuersRightsUntilItEnds() async throws {
        let authenticator = try await self.authenticator()
        let maker = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        let (name, end) = try await authenticator.openSession(for: maker, at: self.now)
        #expect(end == self.now + Authenticator.sessionLength)
        let user = try authenticator.principal(showing: .session(name), from: .here, at: self.now)
        #expect(user.grants == maker.grants)
        #expect(user.expires == end)
        let (closed, _) = try await authenticator.openSession(for: maker, at: self.now)
        let closing = try authenticator.principal(showing: .session(closed), from: .here, at: self.now)
        #expect(authenticator.isValid(closing))
        try await authenticator.closeSession(closed, at: self.now)
        // Streams that were opened with it must end, those of the key and of the other session go on.
        #expect(!authenticator.isValid(closing) && authenticator.isValid(maker))
        #expect(authenticator.isValid(try authenticator.principal(showing: .session(name), from: .here, at: self.now)))
        #expect(try authenticator.principal(showing: .session(closed), from: .here, at: self.now).name == "anonymous")
        #expect(try authenticator.principal(showing: .session(name), from: .here, at: end).name == "anonymous")
    }

    @Test func aSessionOfAKeyThatIsGoneEnds() async throws {
        let authenticator = try await self.authenticator()
        let maker = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        let (name, _) = try await authenticator.openSession(for: maker, at: self.now)
        try await authenticator.adopt(AccessFile())
        #expect(try authenticator.principal(showing: .session(name), from: .here, at: self.now).name == "anonymous")
    }

    @Test(arguments: [(1_800_000_060.0, false), (1_800_050_000, true)])
    func aSessionEndsWhenItsKeyEndsSoonerNow(end: Double, isKept: Bool) async throws {
        let authenticator = try await self.authenticator()
        let maker = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        let (name, _) = try await authenticator.openSession(for: maker, at: self.now)
        var file = AccessFile()
        let grants = [Grant([.publish])]
        file.keys = [AccessFile.Key(self.key, name: "ci", grants: grants, expires: Date(timeIntervalSince1970: end))]
        try await authenticator.adopt(file)
        // A session ends before the key does; the streams that the key itself opened had no end.
        let user = try authenticator.principal(showing: .session(name), from: .here, at: self.now)
        #expect(user.isAnonymous != isKept)
        #expect(!authenticator.isValid(maker))
    }

    @Test func aTicketIsGoodForOneStreamAndHalfAMinute() async throws {
        let authenticator = try await self.authenticator()
        let maker = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        let first = try authenticator.issueTicket(for: maker, at: self.now)
        #expect(try authenticator.principal(showing: .ticket(first), from: .here, at: self.now) == maker)
        #expect(throws: AuthenticationError.invalid) {
            try authenticator.principal(showing: .ticket(first), from: .here, at: self.now)
        }
        let second = try authenticator.issueTicket(for: maker, at: self.now)
        #expect(throws: AuthenticationError.invalid) {
            try authenticator.principal(
                showing: .ticket(second),
                from: .here,
                at: self.now + Authenticator.ticketLength
            )
        }
    }
}
