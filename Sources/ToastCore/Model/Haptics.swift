/// The haptic feedback of toasts whose haptic is automatic, by role.
public struct Haptics: Hashable, Sendable {
    /// The haptics that a role can have: all but `automatic`, which stands for them.
    public static let choices = Haptic.allCases.filter { $0 != .automatic }

    private var success = Haptic.success
    private var error = Haptic.error
    private var warning = Haptic.warning
    private var info = Haptic.light

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

extension Haptics: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .value("success", \.success) { $0.choice($1, in: Self.choices) },
        .value("error", \.error) { $0.choice($1, in: Self.choices) },
        .value("warning", \.warning) { $0.choice($1, in: Self.choices) },
        .value("info", \.info) { $0.choice($1, in: Self.choices) },
    ]
}
