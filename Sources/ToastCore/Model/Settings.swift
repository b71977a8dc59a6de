/// What a channel sets for itself; what it leaves out, its preset decides, and what that leaves out, the server.
///
/// It is a JSON object as it was sent. Objects in it, as the animations are, decide member by member, too.
public struct Settings: Hashable, Sendable {
    /// Who decided a setting.
    public enum Source: String, Hashable, Sendable, JSONWritable {
        /// Neither the channel nor its preset says anything.
        case server
        /// The channel's preset.
        case preset
        /// The channel itself.
        case channel
    }

    /// What is set.
    public let members: JSONObject

    /// What holds: the server's settings, over them the preset's, over them these.
    public let effective: EffectiveSettings

    /// Nothing set; what holds is shared by all channels of which this is true.
    public init() {
        self = Self.empty
    }

    private static let empty = Self(valid: [:])

    /// Reads settings.
    ///
    /// Unlike on toasts, a member that is not known is an error: it would be a setting that silently does nothing.
    ///
    /// - Parameter json: An object; `null` in it means not set.
    /// - Throws: Everything that is wrong with it.
    public init(json: JSON) throws(ValidationError) {
        self = try Self().applying(json)
    }

    /// The settings that a JSON Merge Patch (RFC 7396) makes of these.
    ///
    /// - Parameter patch: An object; `null` in it unsets a member.
    /// - Returns: The changed settings.
    /// - Throws: Everything that is wrong with it.
    public func applying(_ patch: JSON) throws(ValidationError) -> Self {
        var issues = Issues(limits: .standard)
        var members = JSONObject()
        if let changes = issues.object(patch) {
            members = patch.merged(onto: .object(self.members)).object ?? members
            var scratch = EffectiveSettings()
            scratch.lay(members, &issues)
            // What is unset is no member any more, but a name that is none would be a slip there, too. Another version may have
            // set what this one does not know; that can be unset.
            var named = JSONObject()
            for (name, value) in changes where self.members[name] == nil { named.append(name, value) }
            issues.noteUnknownNames { scratch.lay(named, &$0) }
        }
        try issues.check()
        return Self(valid: members)
    }

    private init(valid members: JSONObject) {
        self.members = members
        var ignored = Issues(limits: .standard)
        let preset = members["preset"]?.string.flatMap(PresetName.init) ?? .toastd
        var effective = Preset.named(preset).effective
        effective.lay(members, &ignored)
        self.effective = effective
    }

    /// Who decided each setting, by name; what is inside an object is named by the way to it, as in
    /// `animations/exit/duration`.
    public var sources: [(name: String, source: Source)] {
        let preset = JSON.object(Preset.named(self.effective.preset).settings)
        let own = JSON.object(self.members)
        return JSON(writing: self.effective).leaves.map { path in
            let name = path.joined(separator: "/")
            return (name, own.has(path) ? .channel : preset.has(path) ? .preset : .server)
        }
    }
}

extension Settings: JSONWritable {
    /// Writes what is set.
    public func write(to writer: inout JSONWriter) { self.members.write(to: &writer) }
}

extension JSON {
    /// The ways to everything in this value that is no object with members.
    fileprivate var leaves: [[String]] {
        guard let object = self.object, !object.isEmpty else { return [[]] }
        return object.flatMap { name, value in value.leaves.map { [name] + $0 } }
    }

    /// Whether something stands at the end of a way.
    fileprivate func has(_ path: [String]) -> Bool {
        var value: JSON? = self
        for name in path { value = value?.object?[name] }
        return value != nil
    }
}
