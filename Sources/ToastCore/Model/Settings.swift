/// What a channel sets for itself; the rest comes from the server's defaults, then the preset, then built-in values.
///
/// It is a JSON object as it was sent, except that colours are normalized. Nested objects, such as the animations, are
/// merged member by member.
public struct Settings: Sendable {
    /// Where a setting comes from.
    public enum Source: String, Hashable, Sendable, JSONWritable {
        /// Built in: neither the channel, the server's defaults nor the preset sets it.
        case server
        /// The channel's preset.
        case preset
        /// The defaults of this server's operator, for all channels or by name.
        case defaults
        /// The channel itself.
        case channel
    }

    /// On the heap, so that thousands of channels that set nothing share it.
    private let content: Content

    private final class Content: Sendable {
        let members: JSONObject
        let defaults: JSONObject
        let effective: EffectiveSettings

        init(_ members: JSONObject, _ defaults: JSONObject, _ effective: EffectiveSettings) {
            (self.members, self.defaults, self.effective) = (members, defaults, effective)
        }
    }

    /// The members that the channel sets.
    public var members: JSONObject { self.content.members }

    /// The server's defaults for the channel; empty when there are none.
    public var defaults: JSONObject { self.content.defaults }

    /// The settings that apply: the built-in ones, overridden by the preset, the server's defaults, and these settings.
    @inline(__always)
    public var effective: EffectiveSettings { self.content.effective }

    /// Empty settings without defaults; all channels that have them share one object.
    public init() {
        self = Self.empty
    }

    private static let empty = Self(valid: [:], over: [:])

    /// Reads settings.
    ///
    /// They are an object, in which `null` means not set. Unlike in toasts, an unknown member is an error: the setting
    /// would silently do nothing.
    ///
    /// - Throws: Everything that is wrong with them.
    public init(json: JSON, over defaults: JSONObject = [:]) throws(ValidationError) {
        self = try Self(over: defaults).applying(json)
    }

    /// Empty settings over a server's defaults.
    public init(over defaults: JSONObject) {
        self = defaults.isEmpty ? Self.empty : Self(valid: [:], over: defaults)
    }

    /// The settings that a JSON Merge Patch (RFC 7396) makes of these; throws everything that is wrong with them.
    public func applying(_ patch: JSON) throws(ValidationError) -> Self {
        var issues = Issues(limits: .standard)
        var members = JSONObject()
        if let changes = issues.object(patch) {
            members = patch.merged(onto: .object(self.members)).object ?? members
            var scratch = EffectiveSettings()
            scratch.lay(members: members, &issues)
            // A member that is unset is not in the result, but its name is checked all the same. A member that another
            // version has set can be unset, even if this version does not know its name.
            var named = JSONObject()
            for (name, value) in changes where self.members[name] == nil { named.append(name, value) }
            issues.noteUnknownNames { scratch.lay(members: named, &$0) }
        }
        try issues.check()
        guard !members.isEmpty else { return self.cleared }
        return Self(valid: JSON.object(members).withSpelledColors().object ?? members, over: self.defaults)
    }

    /// These settings over the defaults of `base`, which sets nothing itself.
    ///
    /// When these set nothing either, it is `base`, so that channels share one object.
    public func over(_ base: Self) -> Self {
        self.members.isEmpty ? base : Self(valid: self.members, over: base.defaults)
    }

    /// Empty settings over the same defaults.
    public var cleared: Self { Self(over: self.defaults) }

    private init(valid members: JSONObject, over defaults: JSONObject) {
        var ignored = Issues(limits: .standard)
        let below = Self.below(members, defaults)
        let name = (members["preset"] ?? below["preset"])?.string.flatMap(PresetName.init) ?? .toastd
        var effective = Preset.named(name).effective
        effective.lay(members: below, &ignored)
        effective.lay(members: members, &ignored)
        self.content = Content(members, defaults, effective)
    }

    /// The defaults that apply: where a channel chooses a preset itself, the preset's settings override the defaults.
    private static func below(_ members: JSONObject, _ defaults: JSONObject) -> JSONObject {
        guard !defaults.isEmpty, let name = members["preset"]?.string.flatMap(PresetName.init) else { return defaults }
        return defaults.without(name)
    }

    /// Where each setting comes from, by its path, as in `animations/exit/duration`.
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

extension Settings: Equatable {
    /// Whether both have the same members over the same defaults.
    public static func == (one: Self, other: Self) -> Bool {
        one.content === other.content || one.members == other.members && one.defaults == other.defaults
    }
}

extension Settings: JSONWritable {
    /// Writes the members that the channel sets.
    public func write(to writer: inout JSONWriter) { self.members.write(to: &writer) }
}

extension JSON {
    /// The paths of everything in this value that is not an object with members.
    fileprivate var leaves: [[String]] {
        guard let object = self.object, !object.isEmpty else { return [[]] }
        return object.flatMap { name, value in value.leaves.map { [name] + $0 } }
    }

    /// The value with every colour as ``Color/hex``: members named `…color` or `…colorDark`, and all of a theme.
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

    /// Whether there is a value at a path, or one on the path that applies to everything below it: one inset for all
    /// edges.
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
