/// A setting that is an object: each layer of settings decides those members that it names.
protocol SettingGroup: Sendable {
    /// The members, in the order in which they are written: the only list of them.
    static var members: [SettingMember<Self>] { get }

    /// Lays a value over this one: the members that it names.
    mutating func lay(_ value: JSON, _ issues: inout Issues)
}

extension SettingGroup {
    mutating func lay(_ value: JSON, _ issues: inout Issues) {
        guard let object = issues.object(value) else { return }
        self.lay(members: object, &issues)
    }

    mutating func lay(members: JSONObject, _ issues: inout Issues) {
        for (name, value) in members {
            issues.member(name) { issues in
                guard let member = Self.members.first(where: { $0.name == name }) else { return issues.unknownMember() }
                member.read(value, &self, &issues)
            }
        }
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.object { writer in
            for member in Self.members { member.write(self, &writer) }
        }
    }
}
