extension Engine {
    /// What can be felt when a toast comes on screen; `nil` for nothing.
    func haptic(of toast: Toast) -> Haptic? {
        let haptic = toast.haptic == .automatic ? Self.haptic(of: toast.role) : toast.haptic
        return haptic == .none ? nil : haptic
    }

    /// What a screen reader says of a toast.
    func announcement(of toast: Toast) -> String {
        self.lexicon.announcement(of: toast.content, hasPrefix: true)
    }

    /// Whether any of the members that an announcement is made of is among these.
    static func isSpoken(_ members: [String]) -> Bool {
        members.contains { $0 == "role" || $0 == "title" || $0 == "message" }
    }

    /// NoticeUI's map.
    private static func haptic(of role: Role) -> Haptic {
        switch role {
        case .success: .success
        case .error: .error
        case .warning: .warning
        case .info: .light
        }
    }
}
