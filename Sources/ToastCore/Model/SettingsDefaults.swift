/// The defaults of a server's operator for all channels, and for those whose names match a pattern.
///
/// A document like a channel's own settings, with one more member: `channels`, whose members are patterns (a channel's
/// name, the beginning of one followed by `*`, or `*`) and the settings of the channels that they match. The most
/// specific pattern takes precedence; only the channel itself overrides it.
public struct SettingsDefaults: Hashable, Sendable {
    /// The defaults for all channels.
    public let members: JSONObject

    /// The defaults for some channels, by pattern, in the order in which they were sent.
    public let channels: JSONObject

    /// The most patterns.
    public static let maximumPatterns = 64

    /// No defaults.
    public init() {
        (self.members, self.channels) = ([:], [:])
    }

    private init(members: JSONObject, channels: JSONObject) {
        (self.members, self.channels) = (members, channels)
    }

    /// Whether there are no defaults.
    public var isEmpty: Bool { self.members.isEmpty && self.channels.isEmpty }

    /// Reads defaults; throws everything that is wrong with them.
    public init(json: JSON) throws(ValidationError) {
        self = try Self().applying(json)
    }

    /// The defaults that a JSON Merge Patch (RFC 7396) makes of these; throws everything that is wrong with them.
    public func applying(_ patch: JSON) throws(ValidationError) -> Self {
        guard var changes = patch.object else { throw ValidationError("", "An object is expected.") }
        let groups = changes["channels"]
        changes["channels"] = nil
        var issues = Issues(limits: .standard)
        let members = Self.read(self.members, changes, at: "", &issues)
        var channels = self.channels
        switch groups {
        case nil: break
        case .null?: channels = [:]
        case .object(let groups)?:
            for (text, change) in groups { self.change(text, change, of: &channels, &issues) }
            if channels.count > Self.maximumPatterns {
                issues.note("There are at most \(Self.maximumPatterns) patterns.", at: "/channels")
            }
        default: issues.note("An object is expected.", at: "/channels")
        }
        try issues.check()
        return Self(members: members, channels: channels)
    }

    private func change(_ text: String, _ change: JSON, of channels: inout JSONObject, _ issues: inout Issues) {
        let place = "/channels/" + text.escapedForPointer
        guard ChannelPattern(rawValue: text) != nil else {
            return issues.note("A channel's name, or the beginning of one with a * behind it, is expected.", at: place)
        }
        switch change {
        case .null: channels[text] = nil
        case .object(let changes):
            let members = Self.read(self.channels[text]?.object ?? [:], changes, at: place, &issues)
            channels[text] = members.isEmpty ? nil : .object(members)
        default: issues.note("An object is expected.", at: place)
        }
    }

    /// The changed members; the old ones when the patch is invalid.
    private static func read(
        _ members: JSONObject,
        _ changes: JSONObject,
        at place: String,
        _ issues: inout Issues
    ) -> JSONObject {
        do throws(ValidationError) {
            return try Settings(json: .object(members)).applying(.object(changes)).members
        } catch {
            for issue in error.issues { issues.note(issue.detail, at: place + issue.pointer, past: issue.limit) }
            return members
        }
    }
}

extension SettingsDefaults {
    /// The settings of several documents for all channels; later documents take precedence.
    public static func members(of documents: [Self]) -> JSONObject {
        Self.merged(documents.map(\.members))
    }

    /// The settings of several documents for a channel; of equally specific patterns, that of the later document takes
    /// precedence.
    public static func members(of documents: [Self], for channel: ChannelName) -> JSONObject {
        var groups: [(pattern: ChannelPattern, members: JSONObject)] = []
        for document in documents {
            for (text, members) in document.channels {
                guard let pattern = ChannelPattern(rawValue: text), pattern.matches(channel) else { continue }
                // Equally specific patterns keep their order.
                let place =
                    groups.firstIndex { pattern != $0.pattern && pattern.covers($0.pattern) } ?? groups.endIndex
                groups.insert((pattern, members.object ?? [:]), at: place)
            }
        }
        return Self.merged(documents.map(\.members) + groups.map(\.members))
    }

    /// Merges layers; a layer that chooses a preset removes the preset's settings from the layers below.
    private static func merged(_ layers: [JSONObject]) -> JSONObject {
        var merged = JSONObject()
        for layer in layers where !layer.isEmpty {
            if let preset = layer["preset"]?.string.flatMap(PresetName.init) { merged = merged.without(preset) }
            merged = JSON.object(layer).merged(onto: .object(merged.spreading(layer))).object ?? merged
        }
        return merged
    }
}

extension SettingsDefaults: JSONWritable {
    /// Writes the defaults, with `channels` last.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, value) in self.members { writer.member(named: name, value) }
            if !self.channels.isEmpty { writer.member("channels", self.channels) }
        }
    }
}

extension JSONObject {
    /// These settings without those that a preset sets, and without `preset` itself.
    func without(_ preset: PresetName) -> Self {
        guard !self.isEmpty else { return self }
        var rest = self
        rest["preset"] = nil
        for value in Preset.named(preset).values { rest.remove(at: value.path.split(separator: "/")[...]) }
        return rest
    }

    /// Removes the value at a path, or one on the path that applies to everything below it, and objects that are empty
    /// then.
    private mutating func remove(at path: ArraySlice<Substring>) {
        guard let name = path.first.map(String.init), let value = self[name] else { return }
        guard path.count > 1, var inner = value.object else { return self[name] = nil }
        inner.remove(at: path.dropFirst())
        self[name] = inner.isEmpty ? nil : .object(inner)
    }

    /// These settings with a single inset written out for each edge, if `layer` sets the inset of some edges.
    fileprivate func spreading(_ layer: JSONObject) -> Self {
        guard var layout = self["layout"]?.object, let inset = layout["inset"], inset.object == nil,
            layer["layout"]?.object?["inset"]?.object != nil
        else { return self }
        var settings = self
        layout["inset"] = inset.insetByEdge
        settings["layout"] = .object(layout)
        return settings
    }
}
