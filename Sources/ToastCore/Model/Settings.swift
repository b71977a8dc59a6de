/// What a channel sets for itself; what it leaves out, the server's defaults decide, then its preset, then the server.
///
/// It is a JSON object as it was sent, but that colours have one spelling. Objects in it, as the animations are, decide member
/// by member, too.
public struct Settings: Hashable, Sendable {
    /// Who decided a setting.
    public enum Source: String, Hashable, Sendable, JSONWritable {
        /// Neither the channel nor its preset says anything.
        case server
        /// The channel's preset.
        case preset
        /// What this server's operator says for all channels, or for those of such a name.
        case defaults
        /// The channel itself.
        case channel
    }

    /// What is set.
    public let members: JSONObject

    /// What the server's defaults say for the channel; empty where they say nothing.
    public let defaults: JSONObject

    /// What holds: the server's settings, over them the preset's, over them the server's defaults, over them these.
    public let effective: EffectiveSettings

    /// Nothing set; what holds is shared by all channels of which this is true.
    public init() {
        self = Self.empty
    }

    private static let empty = Self(valid: [:], over: [:])

    /// Reads settings.
    ///
    /// Unlike on toasts, a member that is not known is an error: it would be a setting that silently does nothing.
    ///
    /// - Parameters:
    ///   - json: An object; `null` in it means not set.
    ///   - defaults: What the server's defaults say for the channel.
    /// - Throws: Everything that is wrong with it.
    public init(json: JSON, over defaults: JSONObject = [:]) throws(ValidationError) {
        self = try Self(over: defaults).applying(json)
    }

    /// Nothing set, in a server with defaults.
    public init(over defaults: JSONObject) {
        self = defaults.isEmpty ? Self.empty : Self(valid: [:], over: defaults)
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
        return Self(valid: JSON.object(members).withSpelledColors().object ?? members, over: self.defaults)
    }

    /// These settings in a server with other defaults.
    ///
    /// - Parameter base: Nothing set, over the defaults.
    /// - Returns: The settings; the base itself where nothing is set, so that all channels share it.
    public func over(_ base: Self) -> Self {
        self.members.isEmpty ? base : Self(valid: self.members, over: base.defaults)
    }

    /// The same with nothing set.
    public var cleared: Self { Self(valid: [:], over: self.defaults) }

    private init(valid members: JSONObject, over defaults: JSONObject) {
        self.members = members
        self.defaults = defaults
        var ignored = Issues(limits: .standard)
        let below = Self.below(members, defaults)
        let name = (members["preset"] ?? below["preset"])?.string.flatMap(PresetName.init) ?? .toastd
        var effective = Preset.named(name).effective
        effective.lay(below, &ignored)
        effective.lay(members, &ignored)
        self.effective = effective
    }

    /// What counts of the defaults: a channel that names a preset itself is as its preset says, where that says anything.
    private static func below(_ members: JSONObject, _ defaults: JSONObject) -> JSONObject {
        guard !defaults.isEmpty, let name = members["preset"]?.string.flatMap(PresetName.init) else { return defaults }
        return defaults.without(name)
    }

    /// Who decided each setting, by name; what is inside an object is named by the way to it, as in
    /// `animations/exit/duration`.
    public var sources: [(name: String, source: Source)] {
        let preset = JSON.object(Preset.named(self.effective.preset).settings)
        let own = JSON.object(self.members)
        let below = JSON.object(Self.below(self.members, self.defaults))
        return JSON(writing: self.effective).leaves.map { path in
            let source: Source =
                own.has(path) ? .channel : below.has(path) ? .defaults : preset.has(path) ? .preset : .server
            return (path.joined(separator: "/"), source)
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

    /// The same with every colour as ``Color/hex`` spells it; only a colour has a name that ends so, or stands in a theme.
    fileprivate func withSpelledColors(_ name: String = "", isInTheme: Bool = false) -> JSON {
        switch self {
        case .object(let object):
            var spelled = JSONObject()
            for (name, value) in object {
                spelled.append(name, value.withSpelledColors(name, isInTheme: isInTheme || name == "theme"))
            }
            return .object(spelled)
        case .string(let text):
            let word = name.lowercased()
            guard isInTheme || word.hasSuffix("color") || word.hasSuffix("colordark"), let color = Color(hex: text)
            else {
                return self
            }
            return .string(color.hex)
        default:
            return self
        }
    }

    /// Whether something stands at the end of a way, or on it a value for all that could be there: one inset for all edges.
    fileprivate func has(_ path: [String]) -> Bool {
        var value = self
        for name in path {
            guard let object = value.object else { return true }
            guard let next = object[name] else { return false }
            value = next
        }
        return true
    }
}
