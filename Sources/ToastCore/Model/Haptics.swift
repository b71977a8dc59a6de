/// What can be felt of toasts whose haptic is automatic, by role.
public struct Haptics: Hashable, Sendable {
    /// The haptics that a role can have: all but the automatic one, which they are what it means.
    public static let choices = Haptic.allCases.filter { $0 != .automatic }

    private var success = Haptic.success
    private var error = Haptic.error
    private var warning = Haptic.warning
    private var info = Haptic.light

    /// NoticeUI's.
    init() {}

    /// The haptic of a role; never automatic.
    public subscript(role: Role) -> Haptic {
        switch role {
        case .success: self.success
        case .error: self.error
        case .warning: self.warning
        case .info: self.info
        }
    }
}

extension Haptics: Layered {
    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        guard let role = Role(rawValue: name) else { return issues.unknownMember() }
        guard let haptic = issues.choice(value, in: Self.choices) else { return }
        switch role {
        case .success: self.success = haptic
        case .error: self.error = haptic
        case .warning: self.warning = haptic
        case .info: self.info = haptic
        }
    }
}

extension Haptics: JSONWritable {
    /// Writes the haptic of each role.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for role in Role.allCases { writer.member(named: role.rawValue, self[role]) }
        }
    }
}
