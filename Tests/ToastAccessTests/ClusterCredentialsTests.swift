import Crypto
import Foundation
import Sealing
import Testing
import ToastCore

@testable import ToastAccess

/// Sessions and tickets of one node on another one.
@Suite struct ClusterCredentialsTests {
    private let now = Instant(nanoseconds: 1_800_000_000_000_000_000)
    private let store = MemoryCredentialStore()
    private let key = APIKey()

    private func node(
        secret: UInt8 = 1,
        sessions: Int = 100,
        store: (any CredentialStore)? = nil,
        _ grants: [Grant] = [Grant([.publish, .subscribe])]
    ) async throws -> Authenticator {
        let key = try ClusterKey(fileContent: Array(secret..<secret + 32))
        let cluster = ClusterCredentials(key: key, store: store ?? self.store)
        let node = Authenticator(anonymous: [], sessions: sessions, cluster: cluster)
        try await node.followEndedSessions()
        try await self.adopt(grants, at: node)
        return node
    }

    private func adopt(_ grants: [Grant]?, of key: APIKey? = nil, at node: Authenticator) async throws {
        var file = AccessFile()
        if let grants { file.keys = [AccessFile.Key(key ?? self.key, name: "ci", grants: grants, expires: nil)] }
        try await node.adopt(file)
    }

    private func holder(at node: Authenticator) throws -> Principal {
        try node.principal(showing: .bearer(self.key.text), from: .here, at: self.now)
    }

    private func principal(of session: String, at node: Authenticator, after seconds: Double = 0) throws -> Principal {
        try node.principal(showing: .session(session), from: .here, at: self.now + Interval(seconds: seconds))
    }

    // MARK: Sessions

    @Test func aSessionCountsOnEveryNode() async throws {
        let (a, b) = (try await self.node(), try await self.node())
        let (session, end) = try await a.openSession(for: self.holder(at: a), at: self.now)
        #expect(end == self.now + Authenticator.sessionLength)
        #expect(session.utf8.count < 600)
        for node in [a, b] {
            let principal = try self.principal(of: session, at: node)
            #expect(principal.name == "key:\(self.key.id)")
            #expect(principal.grants == [Grant([.publish, .subscribe])])
            #expect(principal.expires == end)
            #expect(try self.principal(of: session, at: node, after: 12 * 3600).isAnonymous)
        }
    }

    @Test func aSessionOfAnotherClusterOrAChangedOneIsNone() async throws {
        let (a, other) = (try await self.node(), try await self.node(secret: 2))
        let (session, _) = try await a.openSession(for: self.holder(at: a), at: self.now)
        #expect(try self.principal(of: session, at: other).isAnonymous)
        let ticket = try a.issueTicket(for: self.holder(at: a), at: self.now)
        for text in [ticket, "", "1.", "1.AAAA", session + "A", "2" + session.dropFirst(), String(session.dropLast(4))]
        {
            #expect(try self.principal(of: text, at: a).isAnonymous)
        }
        // A session in the form that a node without a cluster issues.
        #expect(try self.principal(of: APIKey.randomBytes(32).hexadecimal, at: a).isAnonymous)
    }

    @Test(.timeLimit(.minutes(1))) func aSessionThatWasEndedCountsNowhere() async throws {
        let (a, b) = (try await self.node(), try await self.node())
        let holder = try self.holder(at: a)
        let (session, _) = try await a.openSession(for: holder, at: self.now)
        let (kept, _) = try await a.openSession(for: holder, at: self.now)
        let reader = try self.principal(of: session, at: a)
        let other = try self.principal(of: kept, at: a)
        #expect(a.isValid(reader))
        try await b.closeSession(session, at: self.now)
        // Streams that were opened with it must end, on all nodes, and each node hears of it.
        for node in [a, b] {
            for await _ in node.sessionEndings { break }
            #expect(!node.isValid(reader) && node.isValid(other) && node.isValid(holder))
        }
        for node in [a, b, try await self.node()] {
            #expect(try self.principal(of: session, at: node).isAnonymous)
            #expect(try !self.principal(of: kept, at: node).isAnonymous)
        }
        // Texts that are no session end nothing, and are no error.
        try await b.closeSession("1.AAAA", at: self.now)
    }

    @Test func aSessionEndsHereAlsoWhenTheOthersCannotBeTold() async throws {
        let node = try await self.node(store: SilentStore())
        let (session, _) = try await node.openSession(for: self.holder(at: node), at: self.now)
        await #expect(throws: AuthenticationError.undecided(.unavailable("silent"))) {
            try await node.closeSession(session, at: self.now)
        }
        #expect(try self.principal(of: session, at: node).isAnonymous)
    }

    /// Each node has its own access file: a session counts where its key has its permissions.
    @Test func aSessionNeedsItsKeyAndItsPermissions() async throws {
        let (a, b) = (try await self.node(), try await self.node())
        let (session, _) = try await a.openSession(for: self.holder(at: a), at: self.now)
        let wide = [Grant([.publish, .subscribe, .manage])]
        try await self.adopt(wide, at: b)
        #expect(try self.principal(of: session, at: b).grants == [Grant([.publish, .subscribe])])
        try await self.adopt([Grant([.publish])], at: b)
        #expect(try self.principal(of: session, at: b).isAnonymous)
        #expect(try !self.principal(of: session, at: a).isAnonymous)
        // Streams that were opened with it end too.
        #expect(!b.isValid(try self.principal(of: session, at: a)))
        try await self.adopt(wide, at: b)
        #expect(try !self.principal(of: session, at: b).isAnonymous)
        try await self.adopt(nil, at: b)
        #expect(try self.principal(of: session, at: b).isAnonymous)
    }

    @Test func aKeyOfTheSameNameWithAnotherSecretIsAnotherOne() async throws {
        let (a, b) = (try await self.node(), try await self.node())
        let (session, _) = try await a.openSession(for: self.holder(at: a), at: self.now)
        let text = "toastd_\(self.key.id)_" + String(repeating: "0", count: 64)
        let replaced = try #require(APIKey(text))
        try await self.adopt([Grant([.publish, .subscribe])], of: replaced, at: b)
        #expect(try self.principal(of: session, at: b).isAnonymous)
    }

    @Test func aPrincipalLosesItsOldestSessionEverywhere() async throws {
        let (a, b) = (try await self.node(sessions: 30), try await self.node(sessions: 30))
        let holder = try self.holder(at: a)
        var sessions: [String] = []
        for _ in 0..<5 { sessions.append(try await a.openSession(for: holder, at: self.now).name) }
        for node in [a, b] {
            let ended = try sessions.map { try self.principal(of: $0, at: node).isAnonymous }
            #expect(ended == [true, true, false, false, false])
        }
    }

    @Test func aSessionHasAsManyRightsAsACookieHolds() async throws {
        let patterns = (0..<400).compactMap { ChannelPattern(rawValue: "channel-with-a-name-\($0)") }
        let grants = [Scope.publish, .subscribe].map { Grant([$0], on: Array(patterns.prefix(60))) }
        let node = try await self.node(grants)
        let (session, _) = try await node.openSession(for: self.holder(at: node), at: self.now)
        #expect(try self.principal(of: session, at: node).grants == grants)
        #expect(session.utf8.count < 3800)
        let wide = try await self.node([Grant([.publish], on: patterns)])
        await #expect(throws: AuthenticationError.tooManyPermissions) {
            try await wide.openSession(for: self.holder(at: wide), at: self.now)
        }
    }

    // MARK: Tickets

    @Test func aTicketOpensOneStreamOnAnyNode() async throws {
        let (a, b) = (try await self.node(), try await self.node())
        let ticket = try a.issueTicket(for: self.holder(at: a), at: self.now)
        // One node alone cannot know whether another one has accepted it.
        #expect(throws: AuthenticationError.invalid) {
            try a.principal(showing: .ticket(ticket), from: .here, at: self.now)
        }
        #expect(try await b.redeemTicket(ticket, from: .here, at: self.now).name == "key:\(self.key.id)")
        for node in [a, b] {
            await #expect(throws: AuthenticationError.invalid) {
                try await node.redeemTicket(ticket, from: .here, at: self.now)
            }
        }
    }

    @Test func ofManyWhoShowATicketOneGetsIn() async throws {
        let nodes = [try await self.node(), try await self.node(), try await self.node()]
        let ticket = try nodes[0].issueTicket(for: self.holder(at: nodes[0]), at: self.now)
        let count = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<30 {
                group.addTask {
                    (try? await nodes[index % 3].redeemTicket(ticket, from: .here, at: self.now)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1)
    }

    @Test(arguments: [(29.9, true), (30, false), (-59, true), (-61, false)])
    func aTicketCountsForHalfAMinute(after seconds: Double, isValid: Bool) async throws {
        let (a, b) = (try await self.node(), try await self.node())
        let ticket = try a.issueTicket(for: self.holder(at: a), at: self.now)
        let instant = self.now + Interval(seconds: seconds)
        let holder = try? await b.redeemTicket(ticket, from: .here, at: instant)
        #expect((holder != nil) == isValid)
    }

    @Test func aTicketIsNotUsedUpWhereItsKeyIsMissing() async throws {
        let (a, b) = (try await self.node(), try await self.node())
        let ticket = try a.issueTicket(for: self.holder(at: a), at: self.now)
        try await self.adopt(nil, at: b)
        await #expect(throws: AuthenticationError.invalid) {
            try await b.redeemTicket(ticket, from: .here, at: self.now)
        }
        _ = try await a.redeemTicket(ticket, from: .here, at: self.now)
    }

    @Test func aTicketIsUndecidedWhenTheNodesCannotBeAsked() async throws {
        let node = try await self.node(store: SilentStore())
        let ticket = try node.issueTicket(for: self.holder(at: node), at: self.now)
        await #expect(throws: AuthenticationError.undecided(.unavailable("silent"))) {
            try await node.redeemTicket(ticket, from: .here, at: self.now)
        }
        // A forged ticket is refused without asking the store, and counts as an attempt.
        await #expect(throws: AuthenticationError.invalid) {
            try await node.redeemTicket("1.AAAA", from: .here, at: self.now)
        }
    }

    @Test func aTicketHoldsTheLongestNames() async throws {
        let names = (0..<128).compactMap { number in
            ChannelName(rawValue: String(String(repeating: "x", count: 60) + String(1000 + number)))
        }
        #expect(names.count == 128)
        let node = try await self.node([Grant([.subscribe]), Grant([.publish]), Grant([.respond])])
        let holder = try self.holder(at: node)
            .restricted(to: Set(Scope.allCases), on: names, until: self.now + Interval(seconds: 99))
        let ticket = try node.issueTicket(for: holder, at: self.now)
        let shown = try await node.redeemTicket(ticket, from: .here, at: self.now)
        #expect(shown.grants == holder.grants)
    }
}

/// A store whose servers do not answer.
private struct SilentStore: CredentialStore {
    func claimTicket(_ id: CredentialID, for time: Interval) async throws(StoreError) -> Bool {
        throw .unavailable("silent")
    }

    func endSession(_ session: EndedSession, for time: Interval) async throws(StoreError) {
        throw .unavailable("silent")
    }

    func observeEndedSessions(_ observer: @escaping @Sendable ([EndedSession]) -> Void) async throws(StoreError) {}
}

@Suite struct EndedSessionsTests {
    private func session(_ number: Int, end: Int64) throws -> EndedSession {
        let digits = String(repeating: "0", count: 28) + String(1000 + number)
        return EndedSession(try #require(CredentialID(rawValue: digits)), end: Instant(nanoseconds: end))
    }

    @Test func aFullListForgetsNoSessionThatHasEnded() throws {
        var ended = EndedSessions(atMost: 8)
        let sessions = try (0..<100).map { try self.session($0, end: Int64($0 * 37 % 100)) }
        for session in sessions {
            _ = ended.add([session])
            #expect(ended.ends.count <= 8)
        }
        for session in sessions { #expect(ended.contains(session.id, end: session.end)) }
        #expect(try !ended.contains(self.session(200, end: 1000).id, end: Instant(nanoseconds: 1000)))
    }
}

@Suite struct SealedCredentialTests {
    @Test func whatIsNotTheFormIsNoCredential() {
        let holder = Principal(
            name: "token:é\"",
            grants: [Grant([.publish, .respond], on: [.all]), Grant([], on: [])],
            expires: Instant(nanoseconds: .max),
            evidence: .max
        )
        let credential = SealedCredential(
            for: holder,
            issued: Instant(nanoseconds: .min),
            until: Instant(nanoseconds: 5)
        )
        let bytes = credential.encoded
        #expect(SealedCredential(bytes) == credential)
        for end in bytes.indices { #expect(SealedCredential(Array(bytes[..<end])) == nil) }
        let text = String(decoding: bytes, as: UTF8.self)
        for (old, new) in [
            ("publish", "publicize"), ("\"*\"", "\"a b\""), ("\"end\":\"5\"", "\"end\":5"), (",0]", ",1]"),
            (",0]", ",-1]"), ("\"grants\"", "\"rights\""), ("\"evidence\":\"", "\"evidence\":\"-"),
            ("\"expires\":\"", "\"expires\":\"x"),
        ] {
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            #expect(SealedCredential(Array(changed.utf8)) == nil, "\(changed)")
        }
    }
}
