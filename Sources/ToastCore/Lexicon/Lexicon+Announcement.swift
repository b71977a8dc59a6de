extension Lexicon {
    /// What is spoken for a toast: "error, Disk full. 3 files were not saved."
    ///
    /// It has the role's word (with `hasPrefix`), the title and the message; missing parts leave no blanks. The role's
    /// automatic title means the same as its word, so it is spoken only where the word is not. The text is plain, and
    /// the same for every consumer; without a `language` it is in the language of events.
    public func announcement(
        of content: ToastContent,
        hasPrefix: Bool = true,
        in language: LanguageTag? = nil
    ) -> String {
        var spoken = hasPrefix ? self.prefix(of: content.role, in: language).trimmed : ""
        let heading: String? =
            switch content.title {
            case .custom(let text): self.text(text, in: language)
            case .automatic: spoken.isEmpty ? self.title(of: content.role, in: language) : nil
            case .none: nil
            }
        let first = heading?.trimmed ?? ""
        let second = content.message.map { self.text($0, in: language).trimmed } ?? ""
        Self.add(first, to: &spoken)
        if !first.isEmpty, !second.isEmpty, !Self.hasEnd(first) { spoken += "." }
        Self.add(second, to: &spoken)
        return spoken
    }

    private static func add(_ sentence: String, to spoken: inout String) {
        guard !sentence.isEmpty else { return }
        if !spoken.isEmpty { spoken += " " }
        spoken += sentence
    }

    /// Whether a sentence ends with punctuation.
    private static func hasEnd(_ sentence: String) -> Bool {
        sentence.last.map { ".!?…:;,。！？؟।".contains($0) } ?? true
    }
}
