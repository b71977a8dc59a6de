public import ToastCore

/// Some scopes on some channels.
public struct Grant: Hashable, Sendable, Codable {
    /// What may be done.
    public var scopes: Set<Scope>

    /// Where.
    public var channels: [ChannelPattern]

    /// Whether all of this may be done by someone with these grants.
    func isPart(of grants: [Grant]) -> Bool {
        self.channels.allSatisfy { pattern in
            self.scopes.allSatisfy { scope in
                grants.contains { $0.scopes.contains(scope) && $0.channels.contains { $0.covers(pattern) } }
            }
        }
    }

    /// A grant.
    public init(_ scopes: Set<Scope>, on channels: [ChannelPattern] = [.all]) {
        self.scopes = scopes
        self.channels = channels
    }
}

/// Someone who asks for something, and what they may do.
public struct Principal: Hashable, Sendable {
    /// Who it is, for logs and limits: `key:3f9a01c2`, `token:alice`, `anonymous`; never a secret.
    public let name: String

    /// What they may do, all grants together.
    public let grants: [Grant]

    /// When their rights end; `nil` for never.
    public let expires: Instant?

    /// The reading of the access file that they were checked by; see ``AccessPolicy``.
    let generation: Int

    /// Someone with rights.
    public init(name: String, grants: [Grant], expires: Instant? = nil) {
        self.init(name: name, grants: grants, expires: expires, generation: 0)
    }

    private init(name: String, grants: [Grant], expires: Instant?, generation: Int) {
        self.name = name
        self.grants = grants
        self.expires = expires
        self.generation = generation
    }

    /// The same someone, checked by a reading of the access file.
    func checked(by generation: Int) -> Self {
        Self(name: self.name, grants: self.grants, expires: self.expires, generation: generation)
    }

    /// The same someone until a certain instant, or sooner if their rights end sooner.
    func ending(at end: Instant) -> Self {
        let sooner = self.expires.map { min($0, end) } ?? end
        return Self(name: self.name, grants: self.grants, expires: sooner, generation: self.generation)
    }

    /// Someone who showed nothing.
    public static func anonymous(_ scopes: Set<Scope>) -> Self {
        Self(name: "anonymous", grants: scopes.isEmpty ? [] : [Grant(scopes)])
    }

    /// Whether they showed nothing.
    public var isAnonymous: Bool { self.name == "anonymous" }

    /// Whether they may do something with a channel.
    public func may(_ scope: Scope, on channel: ChannelName) -> Bool {
        self.grants.contains { grant in
            grant.scopes.contains(scope) && grant.channels.contains { $0.matches(channel) }
        }
    }

    /// Whether they may do something with every channel, and so with what belongs to no single one.
    public func mayEverywhere(_ scope: Scope) -> Bool {
        self.grants.contains { $0.scopes.contains(scope) && $0.channels.contains(.all) }
    }

    /// Where to look for the next channel with which they may do something, in the order of names.
    ///
    /// - Parameters:
    ///   - scope: What they want to do.
    ///   - place: The name behind which it stands; `nil` for the beginning.
    /// - Returns: The name behind which to look, `nil` inside for the beginning; `nil` as a whole when none is left.
    public func start(of scope: Scope, behind place: ChannelName?) -> ChannelName?? {
        let patterns = self.grants.lazy.filter { $0.scopes.contains(scope) }.flatMap(\.channels)
        let start = patterns.compactMap { $0.start(behind: place?.rawValue ?? "") }.min()
        return start.map { ChannelName(rawValue: $0) }
    }

    /// The same someone with some of the rights, and until a certain instant at most.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to keep.
    ///   - channels: The channels to keep; a channel that was not theirs does not become so.
    ///   - expires: When the rights end, if they do not end sooner.
    /// - Returns: The restricted principal; without grants when nothing is left.
    public func restricted(to scopes: Set<Scope>, on channels: [ChannelName]?, until expires: Instant) -> Self {
        var grants: [Grant] = []
        for grant in self.grants {
            let kept = grant.scopes.intersection(scopes)
            guard !kept.isEmpty else { continue }
            guard let channels else {
                grants.append(Grant(kept, on: grant.channels))
                continue
            }
            let patterns = channels.filter { channel in grant.channels.contains { $0.matches(channel) } }
                .compactMap { ChannelPattern(rawValue: $0.rawValue) }
            if !patterns.isEmpty { grants.append(Grant(kept, on: patterns)) }
        }
        let restricted = Self(name: self.name, grants: grants, expires: self.expires, generation: self.generation)
        return restricted.ending(at: expires)
    }
}
