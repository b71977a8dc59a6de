import Crypto
package import Sealing
package import ToastCore

/// What makes sessions and tickets valid on all nodes of a cluster.
///
/// A session or a ticket is a ``SealedCredential``: it says itself who its holder is, so a node that did not issue it
/// needs nothing but the key. The nodes share through a store only what ends it before its time: that a session was
/// ended, or that a ticket was used.
package struct ClusterCredentials: Sendable {
    let sessions: CredentialSeal
    let tickets: CredentialSeal
    let store: any CredentialStore

    /// How far the wall clocks of two nodes may be apart.
    static let leeway = Interval(seconds: 60)

    /// Credentials that are sealed with the key of a cluster; all nodes share the key and the store.
    package init(key: ClusterKey, store: any CredentialStore) {
        self.sessions = CredentialSeal(sealer: key.sealer(for: .sessions), length: Self.longestSession)
        self.tickets = CredentialSeal(sealer: key.sealer(for: .tickets), length: Self.longestTicket)
        self.store = store
    }

    /// Uses a ticket up; false when it was used before.
    func claim(_ id: CredentialID) async throws(AuthenticationError) -> Bool {
        // By one clock, a ticket is valid for at most `ticketLength` + `leeway`. The rest is for clocks that differ.
        let time = Authenticator.ticketLength + Self.leeway + Self.leeway + Self.leeway
        do throws(StoreError) {
            return try await self.store.claimTicket(id, for: time)
        } catch {
            throw .undecided(error)
        }
    }

    /// Tells all nodes that a session has ended.
    func tell(_ session: EndedSession, at now: Instant) async throws(AuthenticationError) {
        do throws(StoreError) {
            try await self.store.endSession(session, for: session.end + Self.leeway - now + Self.leeway)
        } catch {
            throw .undecided(error)
        }
    }

    /// The longest session, in bytes.
    ///
    /// Browsers keep cookies of up to 4096 bytes, with their names and attributes (RFC 6265bis §5.5).
    private static let longestSession = 3800

    /// The longest ticket, in bytes: a request's head has 20,480 at most by default; 128 names of 64 characters fit.
    private static let longestTicket = 16_384
}

/// Writes and reads sessions, or tickets.
struct CredentialSeal: Sendable {
    let sealer: Sealer
    /// The longest text, in bytes.
    let length: Int

    /// The version of the format; part of what is authenticated.
    private static let version = "1"

    /// The text of a credential, which is a secret; nil when too many permissions make it longer than ``length``.
    func text(of credential: SealedCredential) -> String? {
        let sealed = self.sealer.seal(credential.encoded, for: Self.version)
        let text = Self.version + "." + Base64URL.encode(sealed)
        return text.utf8.count <= self.length ? text : nil
    }

    /// Reads a text; nil when no node of this cluster has sealed it for this purpose.
    func read(_ text: String) -> SealedCredential? {
        guard text.utf8.count <= self.length, text.hasPrefix(Self.version + "."),
            let sealed = Base64URL.decode(text.dropFirst(2)),
            let bytes = self.sealer.open(sealed, for: Self.version)
        else { return nil }
        return SealedCredential(bytes)
    }
}

/// The content of a session or a ticket.
struct SealedCredential: Equatable, Sendable {
    /// Its random name.
    let name: String

    /// Its holder, with the permissions and when they end.
    let holder: Principal

    /// When it was issued, by the clock of its node.
    let issued: Instant

    /// When it can no longer be used, by the same clock.
    let end: Instant

    /// Its name in messages between nodes, which is not a secret.
    var id: CredentialID? { Self.id(of: self.digest) }

    /// The digest of its random name.
    var digest: SHA256.Digest { TokenTable.digest(self.name) }

    /// The name, in messages between nodes, of a credential whose random name has this digest.
    static func id(of digest: SHA256.Digest) -> CredentialID? {
        CredentialID(rawValue: digest.prefix(16).hexadecimal)
    }

    init(for holder: Principal, issued: Instant, until end: Instant) {
        self.name = APIKey.randomBytes(16).hexadecimal
        self.holder = holder
        self.issued = issued
        self.end = end
    }

    /// Whether it can be used at an instant, by a clock that may differ from the issuing node's.
    func isValid(at now: Instant) -> Bool {
        now < self.end && self.issued <= now + ClusterCredentials.leeway
    }
}

// MARK: - Bytes

extension SealedCredential {
    /// JSON; each channel pattern is written once, because many grants may name the same ones.
    var encoded: [UInt8] {
        var patterns: [ChannelPattern] = []
        var places: [ChannelPattern: Int] = [:]
        for pattern in self.holder.grants.flatMap(\.channels) where places[pattern] == nil {
            places[pattern] = patterns.count
            patterns.append(pattern)
        }
        let grants = self.holder.grants.map { grant -> JSON in
            let scopes = JSON.array(grant.scopes.map(\.rawValue).sorted().map(JSON.string))
            return JSON.array([scopes] + grant.channels.map { .integer(Int64(places[$0] ?? 0)) })
        }
        var members: JSONObject = [
            "credential": .string(self.name),
            "name": .string(self.holder.name),
            "evidence": .string(String(self.holder.evidence, radix: 16)),
            "issued": .string(String(self.issued.nanoseconds)),
            "end": .string(String(self.end.nanoseconds)),
            "channels": .array(patterns.map { .string($0.rawValue) }),
            "grants": .array(grants),
        ]
        if let expires = self.holder.expires { members["expires"] = .string(String(expires.nanoseconds)) }
        return JSON.object(members).bytes
    }

    /// Reads what ``encoded`` wrote; nil when this is something else.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let credential = json["credential"]?.string,
            let name = json["name"]?.string,
            let evidence = json["evidence"]?.string.flatMap({ UInt64($0, radix: 16) }),
            let issued = Self.instant(json["issued"]), let end = Self.instant(json["end"]),
            let patterns = json["channels"]?.array?.mapAll({ $0.string.flatMap(ChannelPattern.init) }),
            let grants = json["grants"]?.array?.mapAll({ Self.grant($0, of: patterns) })
        else { return nil }
        let expires = Self.instant(json["expires"])
        guard json["expires"] == nil || expires != nil else { return nil }
        self.name = credential
        self.holder = Principal(name: name, grants: grants, expires: expires, evidence: evidence)
        self.issued = issued
        self.end = end
    }

    private static func grant(_ json: JSON, of patterns: [ChannelPattern]) -> Grant? {
        guard let members = json.array, let first = members.first,
            let scopes = first.array?.mapAll({ $0.string.flatMap(Scope.init) })
        else { return nil }
        let channels = members.dropFirst().mapAll { place -> ChannelPattern? in
            guard let index = place.integer.flatMap(Int.init(exactly:)), patterns.indices.contains(index) else {
                return nil
            }
            return patterns[index]
        }
        return channels.map { Grant(Set(scopes), on: $0) }
    }

    private static func instant(_ json: JSON?) -> Instant? {
        json?.string.flatMap { Int64($0) }.map(Instant.init(nanoseconds:))
    }
}
