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
        for wrong in [other, APIKey().text, self.key.digest, "", "toastd__", self.key.text + "0"] {
            #expect(throws: Refusal.invalid) {
                try authenticator.principal(showing: .bearer(wrong), from: .here, at: self.now)
            }
        }
    }

    @Test func aKeyEndsWhenItSays() async throws {
        let authenticator = try await self.authenticator(expires: Date(timeIntervalSince1970: 1_800_000_010))
        _ = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        #expect(throws: Refusal.invalid) {
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

    @Test func whoShowsNothingIsAnonymous() async throws {
        let authenticator = try await self.authenticator(anonymous: [.subscribe])
        let principal = try authenticator.principal(showing: .none, from: .here, at: self.now)
        #expect(principal.mayEverywhere(.subscribe))
        #expect(!principal.mayEverywhere(.publish))
    }

    @Test func soManyAttemptsMayFailAsSomebodySays() async throws {
        let authenticator = try await self.authenticator()
        func attempt() throws(Refusal) {
            _ = try authenticator.principal(showing: .bearer("x"), from: .here, at: self.now)
        }
        let wait = Interval(seconds: 9)
        authenticator.limitAttempts(to: (2, wait))
        for _ in 0..<2 { #expect(throws: Refusal.invalid) { try attempt() } }
        // What was said before is no news: who waits goes on to wait.
        authenticator.limitAttempts(to: (2, wait))
        #expect(throws: Refusal.tooManyAttempts(wait: wait)) { try attempt() }
        authenticator.limitAttempts(to: nil)
        for _ in 0..<99 { #expect(throws: Refusal.invalid) { try attempt() } }
    }

    /// Of each kind for itself: what a page can send with an `<img>` is a ticket at most.
    @Test(arguments: [Credential.bearer("toastd_x"), .bearer("x"), .ticket("x")])
    func onlyFailuresAreSlowed(wrong: Credential) async throws {
        let authenticator = try await self.authenticator()
        func show(_ credential: Credential, from source: Source = .here) throws(Refusal) {
            _ = try authenticator.principal(showing: credential, from: source, at: self.now)
        }
        let maker = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        let ticket = try authenticator.ticket(for: maker, at: self.now)
        for _ in 0..<30 { #expect(throws: Refusal.invalid) { try show(wrong) } }
        #expect(throws: Refusal.tooManyAttempts(wait: Interval(seconds: 60))) { try show(wrong) }
        #expect(throws: Refusal.invalid) { try show(wrong, from: .there) }
        try show(.bearer(self.key.text))
        try show(.ticket(ticket))
        let kinds = [Credential.bearer("toastd_x"), .bearer("x"), .ticket("x")]
        let others = kinds.filter { String(describing: $0) != String(describing: wrong) }
        for other in others { #expect(throws: Refusal.invalid) { try show(other) } }
    }

    @Test func aSessionHasItsMakersRightsUntilItEnds() async throws {
        let authenticator = try await self.authenticator()
        let maker = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        let (name, end) = try authenticator.openSession(for: maker, at: self.now)
        #expect(end == self.now + Authenticator.sessionLength)
        let user = try authenticator.principal(showing: .session(name), from: .here, at: self.now)
        #expect(user.grants == maker.grants)
        #expect(user.expires == end)
        let (closed, _) = try authenticator.openSession(for: maker, at: self.now)
        authenticator.closeSession(closed)
        #expect(try authenticator.principal(showing: .session(closed), from: .here, at: self.now).name == "anonymous")
        #expect(try authenticator.principal(showing: .session(name), from: .here, at: end).name == "anonymous")
    }

    @Test func aSessionOfAKeyThatIsGoneEnds() async throws {
        let authenticator = try await self.authenticator()
        let maker = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        let (name, _) = try authenticator.openSession(for: maker, at: self.now)
        try await authenticator.adopt(AccessFile())
        #expect(try authenticator.principal(showing: .session(name), from: .here, at: self.now).name == "anonymous")
    }

    @Test(arguments: [(1_800_000_060.0, false), (1_800_050_000, true)])
    func aSessionEndsWhenItsKeyEndsSoonerNow(end: Double, isKept: Bool) async throws {
        let authenticator = try await self.authenticator()
        let maker = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        let (name, _) = try authenticator.openSession(for: maker, at: self.now)
        var file = AccessFile()
        let grants = [Grant([.publish])]
        file.keys = [AccessFile.Key(self.key, name: "ci", grants: grants, expires: Date(timeIntervalSince1970: end))]
        let mayGoOn = try await authenticator.adopt(file)
        // A session ends sooner than the key; what the key itself opened was to last for ever.
        let user = try authenticator.principal(showing: .session(name), from: .here, at: self.now)
        #expect(user.isAnonymous != isKept)
        #expect(!mayGoOn(maker))
    }

    @Test func aTicketIsGoodForOneStreamAndHalfAMinute() async throws {
        let authenticator = try await self.authenticator()
        let maker = try authenticator.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
        let first = try authenticator.ticket(for: maker, at: self.now)
        #expect(try authenticator.principal(showing: .ticket(first), from: .here, at: self.now) == maker)
        #expect(throws: Refusal.invalid) {
            try authenticator.principal(showing: .ticket(first), from: .here, at: self.now)
        }
        let second = try authenticator.ticket(for: maker, at: self.now)
        #expect(throws: Refusal.invalid) {
            try authenticator.principal(
                showing: .ticket(second),
                from: .here,
                at: self.now + Authenticator.ticketLength
            )
        }
    }
}

extension Source {
    /// Two places that are not this machine.
    static let (here, there) = (Self(rawValue: 0xC000_0201), Self(rawValue: 0xC000_0202))
}

@Suite struct PrincipalTests {
    @Test(arguments: [
        ("*", "ops", true), ("ops", "ops", true), ("ops", "ops-eu", false), ("ops-*", "ops-eu", true),
        ("ops-*", "ops", false), ("ops*", "ops", true), ("OPS*", "ops", false),
    ])
    func patternsMatchFromTheStart(pattern: String, channel: String, isMatch: Bool) throws {
        let pattern = try #require(ChannelPattern(rawValue: pattern))
        #expect(pattern.matches(try #require(ChannelName(rawValue: channel))) == isMatch)
    }

    @Test(arguments: ["", "a*b", "**", "*a", "a b", "ä*"])
    func otherPatternsAreNone(text: String) {
        #expect(ChannelPattern(rawValue: text) == nil)
    }

    /// Of all names, a principal finds those that it may hear, and reads hardly any other.
    @Test(arguments: [
        ["*"], ["b"], ["b*"], ["a-*", "zz"], ["-*", "a"], ["--"], ["0*", "Z*", "_*", "z*"], ["b-1", "b-*", "b*"],
        ["zz"],
    ])
    func channelsAreFoundInOrder(patterns: [String]) throws {
        let letters = ["-", "0", "9", "A", "Z", "_", "a", "b", "z"]
        let texts = letters + letters.flatMap { one in letters.map { one + $0 } } + ["b-1", "a-z", "zzz", "a\u{2D}-"]
        let names = texts.compactMap { ChannelName(rawValue: $0) }.sorted()
        let grants = [Grant([.subscribe], on: patterns.compactMap { ChannelPattern(rawValue: $0) }), Grant([.publish])]
        let principal = Principal(name: "key:1", grants: grants)
        var (found, looks, place): ([ChannelName], Int, ChannelName?) = ([], 0, nil)
        while let start = principal.start(of: .subscribe, behind: place) {
            looks += 1
            guard let next = names.first(where: { name in start.map { $0 < name } ?? true }) else { break }
            if principal.may(.subscribe, on: next) { found.append(next) }
            place = next
        }
        #expect(found == names.filter { principal.may(.subscribe, on: $0) })
        #expect(looks <= found.count + patterns.count + 1)
    }

    @Test func restrictionNeverAddsARight() throws {
        let ops = try #require(ChannelName(rawValue: "ops"))
        let other = try #require(ChannelName(rawValue: "other"))
        let pattern = try #require(ChannelPattern(rawValue: "ops*"))
        let end = Instant(nanoseconds: 5)
        let principal = Principal(name: "key:1", grants: [Grant([.publish, .subscribe], on: [pattern])])
        let restricted = principal.restricted(to: [.subscribe, .manage], on: [ops, other], until: end)
        #expect(restricted.may(.subscribe, on: ops))
        #expect(!restricted.may(.subscribe, on: other))
        #expect(!restricted.may(.publish, on: ops))
        #expect(!restricted.may(.manage, on: ops))
        #expect(restricted.expires == end)
    }
}
