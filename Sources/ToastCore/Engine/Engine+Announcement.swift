extension Engine {
    /// The haptic feedback when a toast comes on screen; `nil` for none.
    func haptic(of toast: Toast) -> Haptic? {
        let content = toast.content
        let haptic = content.haptic == .automatic ? self.effective.haptics[content.role] : content.haptic
        return haptic == .none ? nil : haptic
    }

    /// What a screen reader says of a toast.
    func announcement(of toast: Toast, in language: LanguageTag? = nil) -> String {
        self.lexicon.announcement(of: toast.content, hasPrefix: self.effective.spokenPrefix, in: language)
    }

    /// Whether any of these members is part of an announcement.
    static func isSpoken(_ members: [String]) -> Bool {
        members.contains { $0 == "role" || $0 == "title" || $0 == "message" }
    }
}
