/// A member of a group of settings: how it is read and written.
///
/// A new setting is a property with the server's own value, a row of ``SettingGroup/members``, and its schema in
/// `openapi.yaml`; one that only viewers read is a row of a ``ViewerSetting`` and its schema.
///
/// A class, because writing the settings walks over all rows: a struct of closures would be copied each time.
final class SettingMember<Group: SettingGroup>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Group, Value> & Sendable

    let name: String

    /// Reads a value into the group; keeps the old one, and notes why, when the value cannot be accepted.
    let read: @Sendable (JSON, inout Group, inout Issues) -> Void

    /// Writes name and value, if there is a value to write.
    let write: @Sendable (Group, inout JSONWriter) -> Void

    init(
        _ name: String,
        read: @escaping @Sendable (JSON, inout Group, inout Issues) -> Void,
        write: @escaping @Sendable (Group, inout JSONWriter) -> Void
    ) {
        self.name = name
        self.read = read
        self.write = write
    }
}

extension SettingMember {
    /// A member that always has a value.
    static func value<Value: JSONWritable & Sendable>(
        _ name: StaticString,
        _ path: Path<Value>,
        _ parse: @escaping @Sendable (inout Issues, JSON) -> Value?
    ) -> SettingMember {
        SettingMember(
            name.description,
            read: { value, group, issues in group[keyPath: path] = parse(&issues, value) ?? group[keyPath: path] },
            write: { group, writer in writer.member(name, group[keyPath: path]) }
        )
    }

    /// A member that is one of the names of an enumeration.
    static func choice<Value: JSONWritable & Sendable & RawRepresentable<String> & CaseIterable>(
        _ name: StaticString,
        _ path: Path<Value>
    ) -> SettingMember {
        .value(name, path) { $0.choice($1, Value.self) }
    }

    /// A member that may have no value: it is then written as `absent`.
    static func optional<Value: JSONWritable & Sendable>(
        _ name: StaticString,
        _ path: Path<Value?>,
        absent: JSON,
        _ parse: @escaping @Sendable (inout Issues, JSON) -> Value?
    ) -> SettingMember {
        SettingMember(
            name.description,
            read: { value, group, issues in
                if value == absent { return group[keyPath: path] = nil }
                group[keyPath: path] = parse(&issues, value) ?? group[keyPath: path]
            },
            write: { group, writer in
                if let value = group[keyPath: path] { writer.member(name, value) } else { writer.member(name, absent) }
            }
        )
    }

    /// A member that only viewers read.
    static func viewer(_ name: StaticString, _ path: Path<JSONObject>, _ setting: ViewerSetting) -> SettingMember {
        SettingMember(
            name.description,
            read: { value, group, issues in group[keyPath: path].lay(value, as: setting, &issues) },
            write: { group, writer in writer.member(name, group[keyPath: path]) }
        )
    }

    /// A member that is a group itself.
    static func group<Value: SettingGroup>(_ name: StaticString, _ path: Path<Value>) -> SettingMember {
        SettingMember(
            name.description,
            read: { value, group, issues in group[keyPath: path].lay(value, &issues) },
            write: { group, writer in
                writer.name(name)
                group[keyPath: path].writeMembers(to: &writer)
            }
        )
    }
}
