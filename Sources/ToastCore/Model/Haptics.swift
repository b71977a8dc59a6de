/// The haptic feedback of toasts whose haptic is automatic, by role.
public struct Haptics: Hashable, Sendable {
    /// The haptics that a role can have: all but `automatic`, which stands for them.
    public static let choices = Haptic.allCases.filter { $0 != .automatic }

    private var byRole = ByRole(success: Haptic.success, error: .error, warning: .warning, info: .light)

    /// The haptic of a role; never automatic.
    public subscript(role: Role) -> Haptic { self.byRole[role] }
}

extension Haptics: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .value("success", \.byRole.success) { $0.choice($1, Haptic.self, in: Self.choices) },
        .value("error", \.byRole.error) { $0.choice($1, Haptic.self, in: Self.choices) },
        .value("warning", \.byRole.warning) { $0.choice($1, Haptic.self, in: Self.choices) },
        .value("info", \.byRole.info) { $0.choice($1, Haptic.self, in: Self.choices) },
    ]
}
