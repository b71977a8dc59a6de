/// A setting that only viewers read: its value is checked, and kept as JSON as it goes over the wire.
struct ViewerSetting: Sendable {
    /// Lays a value over the old one; returns the old one, and notes why, when the value cannot be accepted.
    let lay: @Sendable (_ value: JSON, _ old: JSON?, _ issues: inout Issues) -> JSON?

    /// A value that replaces the old one.
    static func value(_ parse: @escaping @Sendable (inout Issues, JSON) -> JSON?) -> Self {
        Self { value, old, issues in parse(&issues, value) ?? old }
    }

    static func number(in range: ClosedRange<Double>) -> Self {
        .value { $0.number($1, in: range).map { JSON(number: $0) } }
    }

    static let color = Self.value { $0.color($1).map { JSON.string($0.hex) } }

    /// An object of settings, in the order in which they are written; a group in it is left out while it is empty.
    static func group(_ members: KeyValuePairs<String, Self>) -> Self {
        Self { value, old, issues in
            guard let changes = issues.object(value) else { return old }
            var laid = old?.object ?? [:]
            for (name, change) in changes {
                issues.member(name) { issues in
                    guard let member = members.first(where: { $0.key == name }) else { return issues.unknownMember() }
                    laid[name] = member.value.lay(change, laid[name], &issues)
                }
            }
            var ordered = JSONObject()
            for (name, _) in members {
                if let value = laid[name], value != [:] { ordered[name] = value }
            }
            return JSON.object(ordered)
        }
    }
}

extension JSONObject {
    /// Lays a value of a setting over this one: the members that it names.
    mutating func lay(_ value: JSON, as setting: ViewerSetting, _ issues: inout Issues) {
        self = setting.lay(value, JSON.object(self), &issues)?.object ?? self
    }
}
