import Crypto
package import ToastCore

/// Scopes on channels.
package struct Grant: Hashable, Sendable, Codable {
    package var scopes: Set<Scope>
    package var channels: [ChannelPattern]

    /// Whether other grants include this one.
    func isPart(of grants: [Grant]) -> Bool {
        self.channels.allSatisfy { pattern in
            self.scopes.allSatisfy { scope in
                grants.contains { $0.scopes.contains(scope) && $0.channels.contains { $0.covers(pattern) } }
            }
        }
    }

    package init(_ scopes: Set<Scope>, on channels: [ChannelPattern] = [.all]) {
        self.scopes = scopes
        self.channels = channels
    }
}

/// An identity and its permissions.
///
/// A class, because all requests and streams of a principal share it, and a struct would be copied at each call.
package final class Principal: Sendable {
    /// The name for logs and limits: `key:3f9a01c2`, `token:alice`, `anonymous`; never a secret.
    package let name: String

    /// The permissions: all grants together.
    package let grants: [Grant]

    /// When the permissions end; `nil` for never.
    package let expires: Instant?

    /// The reading of the access file that checked it; see ``AccessPolicy``.
    let generation: Int

    /// The first 64 bits of a digest: of its API key's secret, or of the rules and key that verify its token; else 0.
    ///
    /// Every node of a cluster has the same value, as long as its access file has the same key.
    let evidence: UInt64

    /// The digest of the name of its session; `nil` when the credential is no session.
    let session: SHA256.Digest?

    package convenience init(name: String, grants: [Grant], expires: Instant? = nil) {
        self.init(name: name, grants: grants, expires: expires, evidence: 0)
    }

    /// A principal with permissions that can be checked again.
    init(
        name: String,
        grants: [Grant],
        expires: Instant?,
        evidence: UInt64,
        generation: Int = 0,
        session: SHA256.Digest? = nil
    ) {
        self.name = name
        self.grants = grants
        self.expires = expires
        self.evidence = evidence
        self.session = session
        self.generation = generation
    }

    /// The same principal whose permissions end at an instant, or sooner if they do already.
    func ending(at end: Instant) -> Principal {
        self.copy(expires: self.expires.map { min($0, end) } ?? end)
    }

    /// The same principal with other permissions, another reading of the access file, or as the holder of a session.
    func copy(
        grants: [Grant]? = nil,
        expires: Instant? = nil,
        generation: Int? = nil,
        session: SHA256.Digest? = nil
    ) -> Principal {
        Principal(
            name: self.name,
            grants: grants ?? self.grants,
            expires: expires ?? self.expires,
            evidence: self.evidence,
            generation: generation ?? self.generation,
            session: session ?? self.session
        )
    }

    /// The principal of requests without a credential.
    package static func anonymous(_ scopes: Set<Scope>) -> Principal {
        scopes.isEmpty ? .withoutPermissions : Principal(name: "anonymous", grants: [Grant(scopes)])
    }

    /// The principal of requests without a credential, where these have no permissions.
    package static let withoutPermissions = Principal(name: "anonymous", grants: [])

    /// Whether it is the principal of requests without a credential.
    package var isAnonymous: Bool { self.name == "anonymous" }

    /// Whether it has a scope on a channel.
    package func may(_ scope: Scope, on channel: ChannelName) -> Bool {
        self.grants.contains { grant in
            grant.scopes.contains(scope) && grant.channels.contains { $0.matches(channel) }
        }
    }

    /// Whether it has a scope on every channel, and so on resources that belong to no single channel.
    package func mayEverywhere(_ scope: Scope) -> Bool {
        self.grants.contains { $0.scopes.contains(scope) && $0.channels.contains(.all) }
    }

    /// Where to look for the next channel on which it has a scope, in the order of names.
    ///
    /// - Parameters:
    ///   - scope: The scope.
    ///   - place: The name after which to look; `nil` for the beginning.
    /// - Returns: The name after which to look, an inner `nil` for the beginning; an outer `nil` when there are no
    ///   more.
    package func start(of scope: Scope, after place: ChannelName?) -> ChannelName?? {
        let patterns = self.grants.lazy.filter { $0.scopes.contains(scope) }.flatMap(\.channels)
        let start = patterns.compactMap { $0.start(after: place?.rawValue ?? "") }.min()
        return start.map { ChannelName(rawValue: $0) }
    }

    /// The same principal with some of the permissions, until an instant at most.
    ///
    /// Channels on which it has no permissions are ignored.
    package func restricted(to scopes: Set<Scope>, on channels: [ChannelName]?, until expires: Instant) -> Principal {
        let grants = self.grants.compactMap { grant -> Grant? in
            let kept = grant.scopes.intersection(scopes)
            let patterns = channels.map { channels in
                channels.filter { channel in grant.channels.contains { $0.matches(channel) } }
                    .compactMap { ChannelPattern(rawValue: $0.rawValue) }
            }
            return kept.isEmpty || patterns?.isEmpty == true ? nil : Grant(kept, on: patterns ?? grant.channels)
        }
        return self.copy(grants: grants).ending(at: expires)
    }
}

extension Principal: Equatable {
    /// Whether all members are equal: also the expiry, and the reading that checked it.
    package static func == (one: Principal, other: Principal) -> Bool {
        one === other
            || (one.name, one.expires, one.generation, one.evidence, one.session)
                == (other.name, other.expires, other.generation, other.evidence, other.session)
                && one.grants == other.grants
    }
}
