/// A setting that is an object: each layer decides those of its members that it names.
protocol Layered {
    /// Takes the value of a member.
    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues)
}

extension Layered {
    /// Lays an object over this one: the members that it names.
    mutating func lay(_ value: JSON, _ issues: inout Issues) {
        guard let object = issues.object(value) else { return }
        for (name, value) in object {
            issues.member(name) { issues in self.set(name, value, &issues) }
        }
    }
}
